// The request runner: its options, the arguments of tools and transports, and the result.
import { expectTypeOf } from "expect-type";
import { fetchTransport, formatToolMessages, runRequest } from "respool";
import type {
  Delta,
  FetchTransport,
  RequestDelta,
  RequestFailureCode,
  RequestHandle,
  RequestMessage,
  RequestResult,
  RequestState,
  ToolCall,
  Transport,
} from "respool";

const request = runRequest({
  transport: fetchTransport({ url: new URL("http://localhost/v1/chat/completions"), headers: { authorization: "Bearer key" } }),
  messages: [{ role: "user", content: "Hi" }] as const,
  tools: {
    weather: async ({ city }: { city: string }, { signal, toolCall }) => {
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      expectTypeOf(toolCall).toEqualTypeOf<ToolCall>();
      return { city };
    },
    now: () => 7,
  },
  budgetUnit: "iteration",
  onToolError: "feedback",
  fallback: { formats: ["hermes"], reasoningTags: true },
  loopDetector: { blockLines: 4 },
  rebuildConversation: (messages) => messages.slice(1),
  onDelta: (delta) => expectTypeOf(delta).toEqualTypeOf<RequestDelta>(),
  clock: {
    now: () => 7,
    setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
    clearTimeout: (timer: number) => clearTimeout(timer),
  },
});

expectTypeOf(request).toEqualTypeOf<RequestHandle>();
expectTypeOf(request.state).toEqualTypeOf<RequestState>();
expectTypeOf(request.result).toEqualTypeOf<() => Promise<RequestResult>>();
expectTypeOf(request.getResult().failure?.code).toEqualTypeOf<RequestFailureCode | undefined>();
expectTypeOf<RequestFailureCode>().toEqualTypeOf<
  | "repeated_line_loop"
  | "tool_parse_error"
  | "tool_execution_error"
  | "provider_error"
  | "unknown_error"
  | "stall_timeout"
  | "refusal"
>();
expectTypeOf<RequestResult["signals"]>().toEqualTypeOf<ToolCall[]>();
expectTypeOf<Delta>().toExtend<RequestDelta>();
for await (const delta of request) expectTypeOf(delta).toEqualTypeOf<RequestDelta>();

expectTypeOf<FetchTransport>().toExtend<Transport>();
expectTypeOf(fetchTransport({ url: "x" })({})).toEqualTypeOf<Promise<Response>>();
expectTypeOf(formatToolMessages).returns.toEqualTypeOf<RequestMessage[]>();

fetchTransport({ url: "x", fetch });
fetchTransport({ url: "x", fetch: async (url, init) => fetch(url.toUpperCase(), { ...init, redirect: "follow" }) });
fetchTransport({ url: "x", fetch: async (url: string, init?: RequestInit): Promise<Response> => fetch(url, init) });
// @ts-expect-error: not a response
fetchTransport({ url: "x", fetch: async () => "text" });

// @ts-expect-error: a transport is needed
runRequest({ messages: [] });
// @ts-expect-error: misspelt
runRequest({ transport: () => [], messages: [], toolbudget: 3 });
// @ts-expect-error: no such unit
runRequest({ transport: () => [], messages: [], budgetUnit: "token" });
formatToolMessages("gemini", { extra: {} }, [], []);
formatToolMessages("gemini-interactions", { extra: {} }, [], []);
formatToolMessages("ollama-chat", { extra: {} }, [], []);
formatToolMessages("cohere-chat", { extra: {} }, [], []);
// @ts-expect-error: there are no tool messages for embeddings
formatToolMessages("openai-embeddings", { extra: {} }, [], []);
