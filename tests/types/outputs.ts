// Parsed outputs of models: the types follow from the arguments.
import { expectTypeOf } from "expect-type";
import type { ChatCompletion } from "openai/resources";
import * as v from "valibot";
import { z } from "zod";
import {
  cast,
  castAsync,
  LoopDetector,
  type OutputParseError,
  parseResponse,
  parseStructuredOutput,
  parseStructuredOutputAsync,
  parseToolArguments,
  process,
  repairJson,
} from "respool";
import type {
  ActionModel,
  AgentOutput,
  LoopDetectorOptions,
  OutputIssue,
  RepairedAction,
  RepairedJson,
  StreamAccumulatorOptions,
  ToolCall,
  Usage,
} from "respool";

declare const calls: ToolCall[];
expectTypeOf(parseToolArguments(calls)).toEqualTypeOf<ActionModel[]>();
expectTypeOf(parseToolArguments(calls)[0]!.arguments).toEqualTypeOf<Record<string, unknown>>();
expectTypeOf(parseToolArguments(calls, { repair: true })).toEqualTypeOf<RepairedAction[]>();
expectTypeOf(parseToolArguments(calls, { repair: calls.length > 1 })).toEqualTypeOf<ActionModel[]>();
expectTypeOf<RepairedAction>().toExtend<ActionModel>();
// @ts-expect-error: misspelt
parseToolArguments(calls, { repairs: true });
parseToolArguments([{ type: "tool_use", id: "a", name: "tide", input: {} }]);
parseToolArguments([{ type: "function", id: "a", function: { name: "tide", arguments: "{}" } }]);
parseToolArguments([
  { name: "tide", args: {} },
  { id: "a", name: "tide", args: {} },
]);
parseToolArguments([{ function: { name: "tide", arguments: { port: "Bodø" } } }, { name: "tide", arguments: {} }]);
declare const completion: ChatCompletion;
parseToolArguments(completion.choices[0]?.message.tool_calls ?? []);
parseToolArguments([{ type: "function_call", id: "fc", call_id: "a", name: "tide", arguments: "{}" }]);
declare const generated: { id?: string; name?: string; args?: Record<string, unknown>; willContinue?: boolean }[];
parseToolArguments(generated); // FunctionCall of @google/genai
// @ts-expect-error: not a call
parseToolArguments([{ id: "a", title: "tide" }]);

expectTypeOf(parseResponse({ content: "", toolCalls: calls, usage: {} as Usage })).toEqualTypeOf<AgentOutput>();
expectTypeOf(parseResponse({ content: null, usage: { input_tokens: 5 } }).usage).toEqualTypeOf<
  { input_tokens: number } | undefined
>();

const Zod = z.object({ city: z.string(), days: z.array(z.coerce.date()), wind: z.number().default(0) });
expectTypeOf(parseStructuredOutput("", Zod)).toEqualTypeOf<{ city: string; days: Date[]; wind: number }>();
expectTypeOf(parseStructuredOutputAsync("", Zod)).toEqualTypeOf<Promise<{ city: string; days: Date[]; wind: number }>>();
const Valibot = v.object({
  city: v.string(),
  length: v.pipe(
    v.string(),
    v.transform((text) => text.length),
  ),
});
expectTypeOf(parseStructuredOutput("", Valibot)).toEqualTypeOf<{ city: string; length: number }>();
expectTypeOf(parseStructuredOutput("", (value) => [value])).toEqualTypeOf<unknown[]>();
expectTypeOf(parseStructuredOutputAsync(Promise.resolve(""), async () => 5)).toEqualTypeOf<Promise<number>>();
expectTypeOf(parseStructuredOutput("")).toEqualTypeOf<unknown>();
// @ts-expect-error: a JSON Schema validates nothing by itself
parseStructuredOutput("", { type: "object" });

const result = process({}, "");
expectTypeOf(cast(result, Zod)).toEqualTypeOf<{ city: string; days: Date[]; wind: number }>();
expectTypeOf(cast(result, (_value, json) => json)).toEqualTypeOf<string | undefined>();
expectTypeOf(cast(result)).toEqualTypeOf<unknown>();
expectTypeOf(castAsync(result, Valibot)).toEqualTypeOf<Promise<{ city: string; length: number }>>();

expectTypeOf(repairJson("")).toEqualTypeOf<RepairedJson>();
declare const error: OutputParseError;
expectTypeOf(error.issues).toEqualTypeOf<readonly OutputIssue[] | undefined>();

expectTypeOf(LoopDetector).constructorParameters.toEqualTypeOf<[options?: LoopDetectorOptions]>();
expectTypeOf<StreamAccumulatorOptions["loopDetector"]>().toEqualTypeOf<boolean | LoopDetectorOptions | undefined>();
expectTypeOf<LoopDetectorOptions>().toEqualTypeOf<{
  tiers?: readonly { length: number; repeats: number }[];
  blockLines?: number;
  phrases?: boolean;
}>();
