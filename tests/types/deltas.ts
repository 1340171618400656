// Delta is a union, discriminated by `type`.
import { expectTypeOf } from "expect-type";
import type { ContentPart, Delta, Failure, FinishReason, ToolCall, ToolCallStatus, Usage, WarningCode } from "respool";

expectTypeOf<Delta["type"]>().toEqualTypeOf<
  | "text"
  | "phase"
  | "reasoning"
  | "refusal"
  | "tool-call-start"
  | "tool-call-delta"
  | "tool-call-end"
  | "json"
  | "annotation"
  | "server-tool"
  | "image"
  | "audio"
  | "usage"
  | "finish"
  | "error"
  | "warning"
>();

type Of<Type extends Delta["type"]> = Extract<Delta, { type: Type }>;

expectTypeOf<Of<"text">>().toEqualTypeOf<{ type: "text"; text: string; choice?: number }>();
expectTypeOf<Of<"phase">>().toEqualTypeOf<{ type: "phase"; phase?: string; choice?: number }>();
expectTypeOf<Of<"reasoning">>().toEqualTypeOf<{ type: "reasoning"; text: string; choice?: number }>();
expectTypeOf<Of<"refusal">>().toEqualTypeOf<{ type: "refusal"; text: string; choice?: number }>();
expectTypeOf<Of<"tool-call-start">>().toEqualTypeOf<{
  type: "tool-call-start";
  index: number;
  id: string;
  name: string;
  choice?: number;
}>();
expectTypeOf<Of<"tool-call-delta">>().toEqualTypeOf<{
  type: "tool-call-delta";
  index: number;
  id: string;
  arguments: string;
  choice?: number;
}>();
expectTypeOf<Of<"tool-call-end">>().toEqualTypeOf<{
  type: "tool-call-end";
  index: number;
  toolCall: ToolCall;
  status: ToolCallStatus;
  choice?: number;
}>();
expectTypeOf<Of<"json">>().toEqualTypeOf<{
  type: "json";
  index: number | "text";
  path: (string | number)[];
  value?: unknown;
  append?: string;
  done: boolean;
  choice?: number;
}>();
expectTypeOf<Of<"annotation">>().toEqualTypeOf<{ type: "annotation"; annotation: unknown; choice?: number }>();
expectTypeOf<Of<"server-tool">["part"]>().toEqualTypeOf<Part<"server-tool">>();
expectTypeOf<Of<"image">["part"]>().toEqualTypeOf<Part<"image">>();
expectTypeOf<Of<"audio">["part"]>().toEqualTypeOf<Part<"audio">>();
expectTypeOf<Of<"usage">>().toEqualTypeOf<{ type: "usage"; usage: Usage }>();
expectTypeOf<Of<"finish">>().toEqualTypeOf<{
  type: "finish";
  finishReason: FinishReason;
  rawFinishReason?: string;
  choice?: number;
}>();
expectTypeOf<Of<"error">>().toEqualTypeOf<{ type: "error"; error: Failure }>();
expectTypeOf<Of<"warning">>().toEqualTypeOf<{ type: "warning"; code: WarningCode; message: string }>();

/** A switch over all types is exhaustive. */
export function lengthOf(delta: Delta): number {
  switch (delta.type) {
    case "text":
    case "reasoning":
    case "refusal":
      return delta.text.length;
    case "tool-call-start":
      return delta.name.length;
    case "tool-call-delta":
      return delta.arguments.length;
    case "tool-call-end":
      return delta.toolCall.arguments.length;
    case "json":
      return delta.path.length;
    case "annotation":
    case "server-tool":
    case "image":
    case "audio":
    case "usage":
    case "phase":
    case "finish":
    case "error":
    case "warning":
      return 0;
    default:
      expectTypeOf(delta).toBeNever();
      return delta;
  }
}

expectTypeOf<FinishReason>().toEqualTypeOf<"complete" | "length" | "tool_use" | "content_filter" | { unknown: string }>();
expectTypeOf<ToolCallStatus>().toEqualTypeOf<"complete" | "truncated" | "invalid">();

type Part<Type extends ContentPart["type"]> = Extract<ContentPart, { type: Type }>;
expectTypeOf<ContentPart["type"]>().toEqualTypeOf<
  "text" | "reasoning" | "refusal" | "image" | "audio" | "server-tool" | "other"
>();
expectTypeOf<Part<"text">>().toEqualTypeOf<{
  type: "text";
  text: string;
  annotations?: unknown[];
  logprobs?: unknown[];
  signature?: string;
  phase?: string;
}>();
expectTypeOf<Part<"reasoning">>().toEqualTypeOf<{
  type: "reasoning";
  text: string;
  signature?: string;
  encrypted?: string;
  id?: string;
}>();
