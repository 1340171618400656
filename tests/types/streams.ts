// The classes and functions for streams: options, sources and results.
import { expectTypeOf } from "expect-type";
import {
  collect,
  parsePartialJson,
  PartialJson,
  processStream,
  SseDecoder,
  StreamAccumulator,
  StreamDeltas,
  streamDeltas,
  tap,
} from "respool";
import type {
  ApiName,
  Bytes,
  Delta,
  DeltaStream,
  Limits,
  LoopDetectorOptions,
  ReasoningTags,
  RequestDelta,
  SseEvent,
  StreamAccumulatorOptions,
  StreamResult,
  StreamSourceOptions,
  TextToolCalls,
  ToolCall,
} from "respool";

expectTypeOf<StreamAccumulatorOptions>().toEqualTypeOf<{
  api?: ApiName | "auto";
  agent?: { model?: { id?: string; provider?: string; apiType?: string }; outputs?: unknown };
  limits?: Limits;
  coalesce?: boolean;
  templates?: boolean;
  partialJson?: boolean;
  loopDetector?: boolean | LoopDetectorOptions;
  textToolCalls?: TextToolCalls;
  reasoningTags?: ReasoningTags;
}>();
expectTypeOf<Limits>().toEqualTypeOf<{
  maxEventBytes?: number;
  maxTotalBytes?: number;
  maxToolCalls?: number;
  maxChoices?: number;
  maxDepth?: number;
}>();
expectTypeOf<StreamSourceOptions["signal"]>().toEqualTypeOf<AbortSignal | undefined>();
expectTypeOf<StreamSourceOptions["throwOnError"]>().toEqualTypeOf<boolean | undefined>();

expectTypeOf(collect(fetch("https://example.test"), { throwOnError: false })).toEqualTypeOf<Promise<StreamResult>>();
expectTypeOf(streamDeltas([]).finished).toEqualTypeOf<Promise<StreamResult>>();
expectTypeOf(tap(new Response("{}")).response).toEqualTypeOf<Response>();
expectTypeOf(tap(new Response("{}")).result).toEqualTypeOf<Promise<StreamResult>>();
// @ts-expect-error: the response has to be awaited
tap(fetch("https://example.test"));

const accumulator = new StreamAccumulator({ api: "auto", limits: { maxDepth: 10 } });
expectTypeOf(accumulator.push).toEqualTypeOf<(chunk: object) => Delta[]>();
expectTypeOf(accumulator.pushBytes).toEqualTypeOf<(bytes: Bytes) => Delta[]>();
expectTypeOf(accumulator.finish).toEqualTypeOf<() => StreamResult>();
expectTypeOf(accumulator.abort).toEqualTypeOf<(reason?: unknown) => StreamResult>();
expectTypeOf(accumulator.snapshot).toEqualTypeOf<() => StreamResult>();
expectTypeOf(accumulator.takeDeltas).toEqualTypeOf<() => Delta[]>();
expectTypeOf(accumulator).toExtend<Disposable>();
// @ts-expect-error: misspelt
new StreamAccumulator({ coalese: true });
// @ts-expect-error: text goes through streamDeltas, or as bytes
accumulator.push("data: {}");
// @ts-expect-error: not bytes
accumulator.pushBytes([1, 2]);
accumulator.pushBytes(new DataView(new ArrayBuffer(1)));

expectTypeOf(new SseDecoder().push).toEqualTypeOf<(bytes: Bytes) => SseEvent[]>();
expectTypeOf<SseEvent>().toEqualTypeOf<{ event: string; data: string; id: string; retry?: number }>();

declare const response: Response;
declare const bytes: AsyncIterable<Uint8Array>;
declare const chunks: { choices: unknown[] }[];
for (const source of [response, response.body!, bytes, chunks, ["data: {}\n\n"], Promise.resolve(response), fetch("")]) {
  expectTypeOf(streamDeltas(source)).toEqualTypeOf<DeltaStream>();
}
// @ts-expect-error: not a source
streamDeltas(5);
// @ts-expect-error: a string has to be in a list
collect("data: {}");
// @ts-expect-error: and so has a promise of one
collect(Promise.resolve("data: {}"));
// @ts-expect-error: and a parsed body
collect({ choices: [] });
collect([{ choices: [] }]);
collect(["data: {}", new Uint8Array(1)]);
collect(new Set(["data: {}"]));
// @ts-expect-error: options of a stream, not of process
streamDeltas(response, { vectors: "array" });

expectTypeOf(streamDeltas(response).result).toEqualTypeOf<StreamResult | undefined>();
expectTypeOf(processStream({}, response)).toEqualTypeOf<AsyncGenerator<string | ToolCall, void, undefined>>();

export async function items(): Promise<void> {
  for await (const delta of streamDeltas(response)) expectTypeOf(delta).toEqualTypeOf<Delta>();
  for await (const item of processStream({}, response)) expectTypeOf(item).toEqualTypeOf<string | ToolCall>();
}

const deltas = new StreamDeltas({ coalesce: false });
expectTypeOf(deltas.readable).toEqualTypeOf<ReadableStream<Delta>>();
expectTypeOf(response.body!.pipeThrough(deltas)).toEqualTypeOf<ReadableStream<Delta>>();
expectTypeOf(deltas.result).toEqualTypeOf<StreamResult | undefined>();

const live = new PartialJson();
expectTypeOf(live.apply).toEqualTypeOf<(delta: RequestDelta) => boolean>();
expectTypeOf<Delta>().toExtend<RequestDelta>();
expectTypeOf(live.get("text", 1)).toEqualTypeOf<unknown>();
expectTypeOf(live.isDone(0)).toEqualTypeOf<boolean>();
// @ts-expect-error: the text is called "text"
live.get("arguments");
expectTypeOf(parsePartialJson("[")).toEqualTypeOf<{ value: unknown; state: "complete" | "partial" | "invalid" }>();
