/**
 * A tracing backend that creates OpenTelemetry spans with the attributes of the GenAI conventions:
 * https://github.com/open-telemetry/semantic-conventions-genai/tree/main/docs/gen-ai
 */

/** @import { AttributeValue, Attributes, Context, Span, SpanOptions, Tracer } from "@opentelemetry/api" */
/** @import { OtelTracerOptions } from "../types/otel.js" */
/** @import { Agent, AnnotatedLlmResponse, SpanFactory, TraceSpan, Usage } from "../types/api.js" */

import { SpanKind, SpanStatusCode, context, trace } from "@opentelemetry/api";
import { copyOptions, openOptions, readSwitch, refuseValue } from "../read_option.js";
import { messageOfResult, messagesOf, textOf } from "./otel_messages.js";

/**
 * The values emitted to a span, by key.
 *
 * @typedef {object} Emitted
 * @property {string} [signature]
 * @property {Inputs} [inputs]
 * @property {unknown} [result]
 * @property {{ api?: string, id?: string, model?: string, finishReasons?: string[], isStream?: boolean }} [response]
 * @property {Usage} [usage]
 * @property {EmittedError} [error]
 */

/** @typedef {{ agent?: Agent, options?: { agent?: Agent }, params?: ModelParams, payload?: ModelParams }} AnswerInputs */
/** @typedef {AnswerInputs & { name?: string, id?: string, arguments?: unknown }} Inputs */
/** @typedef {{ model?: string }} ModelParams */
/** @typedef {Partial<Record<"name" | "code" | "message" | "stack" | "providerCode" | "providerType", string>>} EmittedError */

/**
 * The operation of each span in the conventions. Other spans keep their own name.
 *
 * @type {Record<string, string>}
 */
const OPERATIONS = { process: "chat", turn: "invoke_agent", execute_tool: "execute_tool" };

/**
 * The operations of interfaces other than chat.
 *
 * @type {Record<string, string>}
 */
const API_OPERATIONS = { "openai-embeddings": "embeddings", "openai-images": "generate_content" };
/** @type {Record<string, string>} */
const TYPE_OPERATIONS = { embedding: "embeddings", image: "generate_content" };

/** Matches functions whose spans are known to be streams at the start. For `processAsync` it is known only at the end. */
const STREAM_SIGNATURES = /stream|collect|tap/i;

/**
 * The conventions' names of providers with other common names.
 *
 * @type {Record<string, string>}
 */
const PROVIDERS = {
  azure: "azure.ai.openai",
  "amazon-bedrock": "aws.bedrock",
  bedrock: "aws.bedrock",
  gemini: "gcp.gemini",
  google: "gcp.gemini",
  mistral: "mistral_ai",
  moonshot: "moonshot_ai",
  vertex: "gcp.vertex_ai",
  xai: "x_ai",
};

/** @type {Record<string, string>} */
const API_PROVIDERS = {
  openai: "openai",
  anthropic: "anthropic",
  bedrock: "aws.bedrock",
  gemini: "gcp.gemini",
  cohere: "cohere",
  ollama: "ollama",
};

/**
 * @param {Tracer} [tracer]
 * @param {OtelTracerOptions} [options]
 * @returns {SpanFactory}
 */
export function otelTracer(tracer = trace.getTracer("respool"), options = {}) {
  if (typeof tracer?.startSpan !== "function") refuseValue("The tracer", "a tracer of OpenTelemetry", tracer);
  const { captureContent } = openOptions(copyOptions(options), "options", ["captureContent"]);
  const capturesContent = readSwitch(captureContent, "options.captureContent", false);
  return (name, parent) => {
    const { context: outer = context.active() } = /** @type {{ context?: Context }} */ (parent ?? {});
    const span = new OtelSpan(tracer, name, outer, capturesContent);
    if (!capturesContent) return span;
    return Object.assign(span, { emitResponse: (/** @type {AnnotatedLlmResponse} */ response) => span.keep(response) });
  };
}

/** @implements {TraceSpan} */
class OtelSpan {
  #tracer;
  #name;
  #outer;
  #capturesContent;
  /** @type {Span | undefined} */
  #span;
  /** @type {Emitted} */
  #emitted = {};
  /** @type {AnnotatedLlmResponse | undefined} */
  #whole;

  /**
   * @param {Tracer} tracer
   * @param {string} name
   * @param {Context} outer
   * @param {boolean} capturesContent
   */
  constructor(tracer, name, outer, capturesContent) {
    this.#tracer = tracer;
    this.#name = name;
    this.#outer = outer;
    this.#capturesContent = capturesContent;
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  emit(key, value) {
    Object.assign(this.#emitted, { [key]: value });
    // Samplers decide by the attributes that are present at the start.
    if (key === "inputs") this.#start();
  }

  /** @param {AnnotatedLlmResponse} response */
  keep(response) {
    this.#whole = response;
  }

  /** The context inside this span. */
  get context() {
    return trace.setSpan(this.#outer, this.#start());
  }

  /** @param {() => unknown} call */
  run(call) {
    return context.with(this.context, call);
  }

  end() {
    const span = this.#start();
    const { error, response } = this.#emitted;
    const isNews = API_OPERATIONS[response?.api ?? ""] !== undefined;
    const operation = this.#operation;
    if (isNews) span.updateName(nameOf(operation, this.#subject));
    span.setAttributes(defined({ ...(isNews && { "gen_ai.operation.name": operation }), ...this.#outcome() }));
    if (error) this.#fail(span, error);
    span.end();
  }

  /**
   * Records an error. Messages of errors quote responses and arguments, and stacks begin with the message: without
   * content, only the error's type is recorded.
   *
   * @param {Span} span
   * @param {EmittedError} error
   */
  #fail(span, error) {
    const name = error.name ?? error.code ?? typeOf(error);
    const { message = "", stack } = error;
    span.recordException(this.#capturesContent ? { name, message, ...(stack !== undefined && { stack }) } : { name });
    span.setStatus({ code: SpanStatusCode.ERROR, message: this.#capturesContent ? message : typeOf(error) });
  }

  /** What the caller knows about the model. */
  get #known() {
    const { agent, options } = this.#emitted.inputs ?? {};
    return (agent ?? options?.agent)?.model;
  }

  get #model() {
    const { params, payload } = this.#emitted.inputs ?? {};
    return this.#known?.id ?? params?.model ?? payload?.model;
  }

  /** The second part of the span's name. */
  get #subject() {
    return this.#name === "execute_tool" ? this.#emitted.inputs?.name : this.#model;
  }

  /** The operation, which may be known only from the response. */
  get #operation() {
    const { api = "" } = this.#emitted.response ?? {};
    const ofAnswer = API_OPERATIONS[api] ?? TYPE_OPERATIONS[this.#known?.apiType ?? ""];
    return (this.#name === "process" && ofAnswer) || OPERATIONS[this.#name] || this.#name;
  }

  #start() {
    this.#span ??= this.#tracer.startSpan(...this.#startOptions(), this.#outer);
    return this.#span;
  }

  /** @returns {[name: string, options: SpanOptions]} */
  #startOptions() {
    const { inputs, signature = "" } = this.#emitted;
    const isAnswer = this.#name === "process";
    const isTool = this.#name === "execute_tool";
    const { provider } = this.#known ?? {};
    const operation = this.#operation;
    const attributes = {
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": PROVIDERS[provider ?? ""] ?? provider,
      "gen_ai.request.model": this.#model,
      "gen_ai.request.stream": isAnswer && STREAM_SIGNATURES.test(signature) ? true : undefined,
      ...(isTool && { "gen_ai.tool.name": inputs?.name, "gen_ai.tool.call.id": inputs?.id, "gen_ai.tool.type": "function" }),
    };
    return [
      nameOf(operation, this.#subject),
      { kind: isAnswer ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: defined(attributes) },
    ];
  }

  #outcome() {
    const { response, usage, error } = this.#emitted;
    const { api, id, model, finishReasons, isStream } = response ?? {};
    return {
      "gen_ai.provider.name": this.#known?.provider ? undefined : (API_PROVIDERS[api?.split("-")[0] ?? ""] ?? api),
      "gen_ai.request.stream": isStream && this.#name === "process" ? true : undefined,
      "gen_ai.response.id": id,
      "gen_ai.response.model": model,
      "gen_ai.response.finish_reasons": finishReasons,
      "gen_ai.usage.input_tokens": usage?.inputTokens,
      "gen_ai.usage.output_tokens": usage?.outputTokens,
      "gen_ai.usage.reasoning.output_tokens": usage?.reasoningTokens,
      "gen_ai.usage.cache_read.input_tokens": usage?.cacheReadTokens,
      "gen_ai.usage.cache_write.input_tokens": usage?.cacheWriteTokens,
      "error.type": error && typeOf(error),
      ...(this.#capturesContent && this.#content()),
    };
  }

  #content() {
    const { inputs, result, response } = this.#emitted;
    if (this.#name === "execute_tool") {
      return { "gen_ai.tool.call.arguments": textOf(inputs?.arguments), "gen_ai.tool.call.result": textOf(result) };
    }
    if (this.#whole) return { "gen_ai.output.messages": textOf(messagesOf(this.#whole)) };
    const operation = this.#operation;
    if (result === undefined || operation === "embeddings") return undefined; // vectors aren't a message
    const context = { isImage: operation === "generate_content", finishReason: response?.finishReasons?.[0] };
    return { "gen_ai.output.messages": textOf([messageOfResult(result, context)]) };
  }
}

/** Returns the type of an error; `_OTHER` in the conventions if there is none. @param {EmittedError} error */
const typeOf = ({ providerCode, providerType, code, name }) => String(providerCode ?? providerType ?? code ?? name ?? "_OTHER");

/** @type {(operation: string, subject: string | undefined) => string} */
const nameOf = (operation, subject) => (subject === undefined ? operation : `${operation} ${subject}`);

/** @type {(attributes: Record<string, AttributeValue | undefined>) => Attributes} */
const defined = (attributes) => Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
