// Bedrock's Converse. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
import { bytesOfMessages, messagesOf } from "../fixtures/quirks/frames.mjs";
import { argumentsOf, piecesOf } from "./turn.mjs";

export const name = "bedrock-converse";
export const path = "/model/stub/converse-stream";
/** The model and the method are parts of the path. */
export const route = "/model/:model/:method";
export const contentType = "application/vnd.amazon.eventstream";

/** The URL, not the body, says whether the answer is streamed. */
export const isStream = (path) => path.endsWith("/converse-stream");

const FINISH = { complete: "end_turn", length: "max_tokens", content_filter: "content_filtered", tool_use: "tool_use" };

const usageOf = ({ prompt, completion }) => ({
  inputTokens: prompt,
  outputTokens: completion,
  totalTokens: prompt + completion,
});

/** Returns the content blocks, each as its start, if it has one, and the deltas. */
function blocksOf(turn) {
  const text = piecesOf(turn.refusal ?? turn.text).map((piece) => ({ text: piece }));
  const thoughts = piecesOf(turn.reasoning).map((piece) => ({ reasoningContent: { text: piece } }));
  const signed = thoughts.length > 0 ? [...thoughts, { reasoningContent: { signature: "c2lnbmVk" } }] : [];
  const calls = turn.toolCalls.map((call) => ({
    start: { toolUse: { toolUseId: call.id, name: call.name } },
    deltas: piecesOf(argumentsOf(call.arguments)).map((input) => ({ toolUse: { input } })),
  }));
  return [{ deltas: signed }, { deltas: text }, ...calls].filter(({ start, deltas }) => start || deltas.length > 0);
}

/** Returns the events of a stream, as bytes on the wire. */
export function events(turn) {
  const list = blocksOf(turn).flatMap(({ start, deltas }, contentBlockIndex) => [
    ...(start ? [{ contentBlockStart: { contentBlockIndex, start } }] : []),
    ...deltas.map((delta) => ({ contentBlockDelta: { contentBlockIndex, delta } })),
    { contentBlockStop: { contentBlockIndex } },
  ]);
  const begun = [{ messageStart: { role: "assistant" } }, ...list];
  if (turn.error) return [...begun, exception(turn.error)].map(wire);
  const stopReason = turn.refusal ? "guardrail_intervened" : FINISH[turn.finish];
  const usage = turn.usage ? [{ metadata: { usage: usageOf(turn.usage), metrics: { latencyMs: 1 } } }] : [];
  return [...begun, { messageStop: { stopReason } }, ...usage].map(wire);
}

const exception = ({ message }) => ({ internalServerException: { message } });

const wire = (event) => bytesOfMessages(messagesOf([event]), JSON.stringify);

/** Returns the complete body. */
export function body(turn) {
  const { refusal, text, reasoning, toolCalls, usage } = turn;
  const answerText = piecesOf(refusal ?? text).join("");
  const thought = piecesOf(reasoning).join("");
  const content = [
    ...(thought ? [{ reasoningContent: { reasoningText: { text: thought, signature: "c2lnbmVk" } } }] : []),
    ...(answerText ? [{ text: answerText }] : []),
    ...toolCalls.map((call) => ({ toolUse: { toolUseId: call.id, name: call.name, input: inputOf(call) } })),
  ];
  const stopReason = refusal ? "guardrail_intervened" : FINISH[turn.finish];
  return { output: { message: { role: "assistant", content } }, stopReason, ...(usage && { usage: usageOf(usage) }) };
}

/** Returns the parsed arguments, or their text if they aren't valid JSON. */
function inputOf({ arguments: given }) {
  try {
    return JSON.parse(argumentsOf(given));
  } catch {
    return given;
  }
}

export function errorBody({ message }) {
  return { message };
}

const FIELDS = ["messages", "system", "inferenceConfig", "toolConfig", "guardrailConfig", "additionalModelRequestFields"];

/** Returns the reason why the interface would reject a request, or undefined. */
export function faultOf({ messages, toolConfig, ...rest }) {
  const unknown = Object.keys(rest).find((field) => !FIELDS.includes(field));
  if (unknown) return `unexpected field: ${unknown}`;
  const tools = toolConfig?.tools ?? [];
  if (tools.some(({ toolSpec }) => !isObject(toolSpec?.inputSchema?.json))) return "a tool needs toolSpec.inputSchema.json";
  if (!Array.isArray(messages) || messages.length === 0) return "messages is required";
  let open = [];
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== "user" && role !== "assistant") return `messages[${at}].role: use user or assistant`;
    if (!Array.isArray(content) || content.length === 0) return `messages[${at}].content must not be empty`;
    if (content.some(({ text }) => text !== undefined && text.trim() === "")) return `messages[${at}]: a text is blank`;
    const answered = content.flatMap(({ toolResult }) => toolResult?.toolUseId ?? []);
    if (answered.join() !== open.join()) return `messages[${at}]: the calls [${open}] need results; there are [${answered}]`;
    const calls = content.flatMap(({ toolUse }) => toolUse ?? []);
    if (calls.some(({ input }) => !isObject(input))) return `messages[${at}]: input must be an object`;
    open = calls.map(({ toolUseId }) => toolUseId);
  }
  return open.length > 0 ? `the calls ${open} have no result` : undefined;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
