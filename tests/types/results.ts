// The results of streams and of decoded bodies.
import { expectTypeOf } from "expect-type";
import { decode, detectApi, hasToolCalls, isComplete, responseText } from "respool";
import type {
  AnnotatedLlmResponse,
  Api,
  ApiName,
  ApiSpecific,
  Choice,
  ContentPart,
  Ending,
  Failure,
  FailureCode,
  FinishReason,
  ResponseToolCall,
  StreamResult,
  ToolCall,
  ToolCallStatus,
  Usage,
  Warning,
  WarningCode,
} from "respool";

expectTypeOf<ToolCall>().toEqualTypeOf<{ id: string; name: string; arguments: string }>();

expectTypeOf<StreamResult>().toEqualTypeOf<{
  text: string;
  reasoning: string;
  refusal?: string;
  toolCalls: ToolCall[];
  toolCallStatus: ToolCallStatus[];
  finishReason?: FinishReason;
  rawFinishReason?: string;
  usage?: Usage;
  ending: Ending;
  error?: Failure;
  warnings: Warning[];
  response: AnnotatedLlmResponse;
}>();
expectTypeOf<Ending>().toEqualTypeOf<"open" | "complete" | "truncated" | "failed" | "aborted">();

expectTypeOf<AnnotatedLlmResponse>().toEqualTypeOf<{
  api?: Api | (string & {});
  id?: string;
  model?: string;
  message?: string | ContentPart[];
  refusal?: string;
  toolCalls?: ResponseToolCall[];
  finishReason?: FinishReason;
  rawFinishReason?: string;
  usage?: Usage;
  apiSpecific?: ApiSpecific;
  choices?: Choice[];
  extra: Record<string, unknown>;
}>();
expectTypeOf<ResponseToolCall>().toEqualTypeOf<{ id: string; name: string; arguments: unknown; signature?: string }>();

expectTypeOf<Usage>().toEqualTypeOf<{
  inputTokens?: number;
  uncachedInputTokens?: number;
  outputTokens?: number;
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  reasoningTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  cacheWrite1hTokens?: number;
  toolUseTokens?: number;
  audioTokens?: number;
  imageTokens?: number;
  reportedCost?: number;
  serviceTier?: string;
  raw?: unknown;
}>();

expectTypeOf<Failure>().toEqualTypeOf<{
  code: FailureCode;
  message: string;
  providerType?: string;
  providerCode?: string;
  raw?: unknown;
}>();
expectTypeOf<FailureCode>().toEqualTypeOf<
  "provider-error" | "unknown-response" | "stream-broken" | "limit-exceeded" | "aborted" | "codec-error"
>();
expectTypeOf<Warning>().toEqualTypeOf<{ code: WarningCode; message: string }>();

expectTypeOf<Api>().toEqualTypeOf<
  | "openai-chat"
  | "openai-responses"
  | "anthropic-messages"
  | "gemini"
  | "gemini-interactions"
  | "bedrock-converse"
  | "ollama-chat"
  | "cohere-chat"
  | "workers-ai"
  | "openai-embeddings"
  | "openai-images"
>();
expectTypeOf<ApiSpecific["api"]>().toEqualTypeOf<
  | "openai_chat"
  | "openai_responses"
  | "anthropic_messages"
  | "gemini"
  | "gemini_interactions"
  | "bedrock_converse"
  | "ollama_chat"
  | "cohere_chat"
  | "workers_ai"
  | "custom"
>();
expectTypeOf<Extract<ApiSpecific, { api: "anthropic_messages" }>["contentBlocks"]>().toEqualTypeOf<unknown[]>();

expectTypeOf(decode).parameters.toEqualTypeOf<[response: unknown]>();
expectTypeOf(decode).returns.toEqualTypeOf<AnnotatedLlmResponse>();
// For a registered codec, detectApi returns its name.
expectTypeOf(detectApi).returns.toEqualTypeOf<ApiName | undefined>();
expectTypeOf(responseText).returns.toEqualTypeOf<string | undefined>();
expectTypeOf(hasToolCalls).returns.toBeBoolean();
expectTypeOf(isComplete).returns.toBeBoolean();
