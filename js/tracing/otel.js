/**
 * A backend that makes OpenTelemetry spans, with the attributes of the GenAI conventions:
 * https://github.com/open-telemetry/semantic-conventions-genai/tree/main/docs/gen-ai
 */

import { SpanKind, SpanStatusCode, context, trace } from "@opentelemetry/api";

/** The operations of the conventions that spans are; any other span is one of its own name. */
const OPERATIONS = { process: "chat", turn: "invoke_agent", execute_tool: "execute_tool" };

/** Those of interfaces that are no chat. */
const API_OPERATIONS = { "openai-embeddings": "embeddings", "openai-images": "generate_content" };
const TYPE_OPERATIONS = { embedding: "embeddings", image: "generate_content" };

/** What the conventions call providers, where it is not what everybody calls them. */
const PROVIDERS = {
  azure: "azure.ai.openai",
  bedrock: "aws.bedrock",
  gemini: "gcp.gemini",
  google: "gcp.gemini",
  mistral: "mistral_ai",
  moonshot: "moonshot_ai",
  vertex: "gcp.vertex_ai",
  xai: "x_ai",
};

const API_PROVIDERS = { openai: "openai", anthropic: "anthropic" };

export function otelTracer(tracer = trace.getTracer("respool"), { captureContent = false } = {}) {
  return (name, parent) => new OtelSpan(tracer, name, parent?.context ?? context.active(), captureContent);
}

class OtelSpan {
  #tracer;
  #name;
  #around;
  #capturesContent;
  #span;
  #told = {};

  constructor(tracer, name, around, capturesContent) {
    this.#tracer = tracer;
    this.#name = name;
    this.#around = around;
    this.#capturesContent = capturesContent;
  }

  emit(key, value) {
    this.#told[key] = value;
    // Samplers decide by what is known at the beginning.
    if (key === "inputs") this.#begin();
  }

  /** The context inside of this span. */
  get context() {
    return trace.setSpan(this.#around, this.#begin());
  }

  run(call) {
    return context.with(this.context, call);
  }

  end() {
    const span = this.#begin();
    const { error, response } = this.#told;
    const operation = API_OPERATIONS[response?.api];
    if (operation) span.updateName(nameOf(operation, this.#model));
    span.setAttributes(defined({ ...(operation && { "gen_ai.operation.name": operation }), ...this.#outcome() }));
    if (error) {
      span.recordException({ name: error.name ?? error.code, message: error.message, stack: error.stack });
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
    }
    span.end();
  }

  get #model() {
    const { agent, params, payload } = this.#told.inputs ?? {};
    return agent?.model?.id ?? params?.model ?? payload?.model;
  }

  #begin() {
    this.#span ??= this.#tracer.startSpan(...this.#beginning(), this.#around);
    return this.#span;
  }

  #beginning() {
    const { inputs, signature } = this.#told;
    const isAnswer = this.#name === "process";
    const isTool = this.#name === "execute_tool";
    const { provider, apiType } = inputs?.agent?.model ?? {};
    const operation = (isAnswer && TYPE_OPERATIONS[apiType]) || OPERATIONS[this.#name] || this.#name;
    const attributes = {
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": PROVIDERS[provider] ?? provider,
      "gen_ai.request.model": this.#model,
      "gen_ai.request.stream": isAnswer && /stream/i.test(signature) ? true : undefined,
      ...(isTool && { "gen_ai.tool.name": inputs?.name, "gen_ai.tool.call.id": inputs?.id, "gen_ai.tool.type": "function" }),
    };
    const name = nameOf(operation, isTool ? inputs?.name : this.#model);
    return [name, { kind: isAnswer ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: defined(attributes) }];
  }

  #outcome() {
    const { inputs, response, usage, error } = this.#told;
    const { api, id, model, finishReasons } = response ?? {};
    return {
      "gen_ai.provider.name": inputs?.agent?.model?.provider ? undefined : (API_PROVIDERS[api?.split("-")[0]] ?? api),
      "gen_ai.response.id": id,
      "gen_ai.response.model": model,
      "gen_ai.response.finish_reasons": finishReasons,
      "gen_ai.usage.input_tokens": inputTokens(usage, api),
      "gen_ai.usage.output_tokens": usage?.completionTokens,
      "gen_ai.usage.reasoning.output_tokens": usage?.reasoningTokens,
      "gen_ai.usage.cache_read.input_tokens": usage?.cacheReadTokens,
      "gen_ai.usage.cache_write.input_tokens": usage?.cacheWriteTokens,
      "error.type": error && String(error.providerCode ?? error.providerType ?? error.code ?? error.name ?? "_OTHER"),
      ...(this.#capturesContent && this.#content()),
    };
  }

  #content() {
    const { inputs, result, response } = this.#told;
    if (this.#name === "execute_tool") {
      return { "gen_ai.tool.call.arguments": textOf(inputs?.arguments), "gen_ai.tool.call.result": textOf(result) };
    }
    if (result === undefined) return undefined;
    const message = { role: "assistant", parts: partsOf(result), finish_reason: response?.finishReasons?.[0] ?? "error" };
    return { "gen_ai.output.messages": textOf([message]) };
  }
}

const nameOf = (operation, subject) => (subject === undefined ? operation : `${operation} ${subject}`);

const defined = (attributes) => Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

/** Anthropic does not count as input what goes through its cache; the conventions do. */
function inputTokens(usage, api) {
  const { promptTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
  return api === "anthropic-messages" && promptTokens !== undefined
    ? promptTokens + cacheReadTokens + cacheWriteTokens
    : promptTokens;
}

const textOf = (value) => (typeof value === "string" || value === undefined ? value : JSON.stringify(value));

/** The parts of a message, of what process gives, or of the result of a stream or turn. */
function partsOf(result) {
  if (Array.isArray(result) && result[0]?.arguments !== undefined) return result.map(callPart);
  const { reasoning, text, refusal, toolCalls } = Array.isArray(result?.toolCalls) ? result : { text: textOf(result) };
  return [
    ...(reasoning ? [{ type: "reasoning", content: reasoning }] : []),
    ...(text || refusal ? [{ type: "text", content: text || refusal }] : []),
    ...(toolCalls ?? []).map(callPart),
  ];
}

function callPart({ id, name, arguments: text }) {
  try {
    return { type: "tool_call", id, name, arguments: JSON.parse(text) };
  } catch {
    return { type: "tool_call", id, name, arguments: text };
  }
}
