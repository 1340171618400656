// With exactOptionalPropertyTypes: each option may be undefined, and so may each member of an object among the options.
import * as respool from "respool";
import type { AgUiOptions } from "respool/ag-ui";
import type { UIMessageStreamOptions } from "respool/ai-sdk";
import type { EncodeOptions, EncoderOptions, TranslateOptions, TranslateResponseOptions } from "respool/encode";
import type { OtelTracerOptions } from "respool/otel";

/** The optional members, each of them undefined. */
type AllUndefined<T> = { [Name in keyof T as object extends Pick<T, Name> ? Name : never]-?: undefined };

/** The names of types that don't accept undefined for their optional members. */
type Refusing<Types> = {
  [Name in keyof Types]: AllUndefined<Types[Name]> extends Partial<Types[Name]> ? never : Name;
}[keyof Types];

type None<Names extends never> = Names;

export type Check = None<
  Refusing<{
    agent: respool.Agent;
    agentModel: NonNullable<respool.Agent["model"]>;
    agUi: AgUiOptions;
    cast: NonNullable<Parameters<typeof respool.castAsync>[2]>;
    clock: respool.Clock;
    codec: respool.Codec;
    consoleTracer: respool.ConsoleTracerOptions;
    converter: respool.ConverterConfig;
    encode: EncodeOptions;
    encoder: EncoderOptions;
    extract: Parameters<typeof respool.extractToolCalls>[1];
    fallback: respool.FallbackOptions;
    fetchTransport: respool.FetchTransportOptions;
    jsonSchema: respool.JsonSchemaKeywords;
    limits: respool.Limits;
    loopDetector: respool.LoopDetectorOptions;
    otelTracer: OtelTracerOptions;
    parseArguments: NonNullable<Parameters<typeof respool.parseToolArguments>[1]>;
    process: respool.ProcessOptions;
    processAsync: respool.ProcessAsyncOptions;
    request: respool.RequestOptions;
    streamSource: respool.StreamSourceOptions;
    streams: respool.StreamAccumulatorOptions;
    structuredOutput: respool.StructuredOutputOptions;
    structuredOutputAsync: respool.StructuredOutputAsyncOptions;
    textToolCalls: respool.TextToolCalls;
    tool: respool.ToolOptions<respool.ToolParameters>;
    translate: TranslateOptions;
    translateResponse: TranslateResponseOptions;
    uiMessages: UIMessageStreamOptions;
  }>
>;

declare const signal: AbortSignal | undefined;

export const options: respool.StreamSourceOptions = { signal, limits: { maxDepth: undefined } };

declare const result: Partial<Pick<respool.RequestStep, "usage">> & { text: string; toolCalls: respool.ToolCall[] };
declare const maybe: boolean | undefined;

export const output: respool.AgentOutput = respool.parseResponse({
  content: maybe ? result.text : undefined,
  toolCalls: maybe ? result.toolCalls : undefined,
  usage: result.usage,
});
export const accumulator = new respool.StreamAccumulator({ reasoningTags: { tags: maybe, open: maybe } });
export const extraction = respool.extractToolCalls("", { tools: "any", reasoningTags: { open: maybe } });

// Constant lists.
const tiers = [{ length: 8, repeats: 5 }] as const;
export const request: respool.RequestOptions = {
  transport: () => [],
  messages: [],
  exitTools: ["done"] as const,
  toolDefinitions: [{ name: "done" }] as const,
  loopDetector: { tiers },
};

// Updates of a codec whose members may all be missing.
export const update: respool.CodecUpdate[] = [
  { type: "tool-call", index: undefined, id: undefined, name: "tide", arguments: undefined, done: undefined, choice: undefined },
  { type: "reasoning", text: undefined, signature: undefined, part: undefined },
];
