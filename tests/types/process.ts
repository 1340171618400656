// process: its arguments and its results.
import { expectTypeOf } from "expect-type";
import { process, processAsync, RAW_JSON } from "respool";
import type { Agent, ProcessAsyncOptions, ProcessOptions, ProcessResult, StructuredResult, ToolCall } from "respool";

expectTypeOf(process).returns.toEqualTypeOf<ProcessResult>();
expectTypeOf(processAsync).returns.toEqualTypeOf<Promise<ProcessResult>>();
expectTypeOf(processAsync).parameters.toEqualTypeOf<[agent: Agent, source: unknown, options?: ProcessAsyncOptions]>();
expectTypeOf<ProcessAsyncOptions["signal"]>().toEqualTypeOf<AbortSignal | undefined>();
expectTypeOf(process).parameters.toEqualTypeOf<[agent: Agent, response: unknown, options?: ProcessOptions]>();

const result = process({}, "");
expectTypeOf<string>().toExtend<typeof result>();
expectTypeOf<ToolCall[]>().toExtend<typeof result>();
expectTypeOf<number[][]>().toExtend<typeof result>();
expectTypeOf<Float32Array>().toExtend<typeof result>();
expectTypeOf<Float64Array[]>().toExtend<typeof result>();
expectTypeOf<string[]>().toExtend<typeof result>();
expectTypeOf<StructuredResult>().toExtend<typeof result>();
expectTypeOf<undefined>().not.toExtend<typeof result>();

expectTypeOf<ProcessOptions>().toEqualTypeOf<{ textBlocks?: "all" | "first"; vectors?: "array" | "float32" | "float64" }>();
expectTypeOf<Agent>().toEqualTypeOf<{ model?: { id?: string; provider?: string; apiType?: string }; outputs?: unknown }>();

// @ts-expect-error: misspelt
process({}, "", { textBlock: "first" });
// @ts-expect-error: no such choice
process({}, "", { vectors: "float16" });
// @ts-expect-error: an agent is an object
process("agent", "");

expectTypeOf(RAW_JSON).toBeSymbol();
declare const structured: Exclude<StructuredResult, string | number | boolean | null>;
expectTypeOf(structured[RAW_JSON]).toEqualTypeOf<string | undefined>();
