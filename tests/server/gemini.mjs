// Gemini. https://ai.google.dev/api/generate-content
import { argumentsOf, piecesOf } from "./turn.mjs";

export const name = "gemini";
export const path = "/v1beta/models/stub:streamGenerateContent?alt=sse";
/** The model and the method are one part of the path. */
export const route = "/v1beta/models/:call";

/** The URL, not the body, says whether the answer is streamed. */
export const isStream = (path) => path.endsWith(":streamGenerateContent");

const FINISH = { complete: "STOP", length: "MAX_TOKENS", content_filter: "SAFETY", tool_use: "STOP" };

const chunk = (parts, rest) => ({
  candidates: [{ ...(parts && { content: { parts, role: "model" } }), index: 0, ...rest }],
  modelVersion: "stub",
  responseId: "resp1",
});

const usageOf = ({ prompt, completion }) => ({
  promptTokenCount: prompt,
  candidatesTokenCount: completion,
  totalTokenCount: prompt + completion,
});

/** Returns the parts of the answer. */
function partsOf(turn) {
  const calls = turn.toolCalls.map(({ id, name, arguments: given }, at) => ({
    functionCall: { id, name, args: objectOf(argumentsOf(given)) },
    ...(at === 0 && { thoughtSignature: "c2lnbmVk" }),
  }));
  const thoughts = piecesOf(turn.reasoning).map((text) => ({ text, thought: true }));
  return [...thoughts, ...piecesOf(turn.text).map((text) => ({ text })), ...calls];
}

/** Returns the parsed arguments, or their text if they aren't valid JSON. */
function objectOf(json) {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** A refused prompt has no candidates. */
const blocked = () => ({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, modelVersion: "stub", responseId: "resp1" });

/** Returns the events of a stream, as text on the wire. */
export function events(turn) {
  if (turn.refusal) return [wire(blocked())];
  const list = partsOf(turn).map((part) => chunk([part]));
  if (turn.error) return [...list, errorBody(turn.error)].map(wire);
  const end = chunk(undefined, { finishReason: FINISH[turn.finish] });
  return [...list, { ...end, ...(turn.usage && { usageMetadata: usageOf(turn.usage) }) }].map(wire);
}

const wire = (event) => `data: ${JSON.stringify(event)}\r\n\r\n`;

/** Returns the complete body. */
export function body(turn) {
  if (turn.refusal) return blocked();
  const whole = chunk(partsOf(turn), { finishReason: FINISH[turn.finish] });
  return { ...whole, ...(turn.usage && { usageMetadata: usageOf(turn.usage) }) };
}

export function errorBody({ message, type = "INTERNAL", code = 500 }) {
  return { error: { code, message, status: type } };
}

const FIELDS = ["contents", "tools", "toolConfig", "systemInstruction", "generationConfig", "safetySettings", "cachedContent"];

/** Returns the reason why the interface would reject a request, or undefined. */
export function faultOf({ contents, tools = [], ...rest }) {
  const unknown = Object.keys(rest).find((field) => !FIELDS.includes(field));
  if (unknown) return `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`;
  if (tools.filter(({ functionDeclarations }) => functionDeclarations).length > 1) return "only one tool may have functions";
  if (!Array.isArray(contents) || contents.length === 0) return "contents is not specified";
  let open = [];
  for (const [at, { role, parts }] of contents.entries()) {
    if (role !== "user" && role !== "model") return `contents[${at}].role: use user or model`;
    if (!Array.isArray(parts) || parts.length === 0) return `contents[${at}].parts must not be empty`;
    const answers = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
    const answered = answers.map(keyOf);
    if (answered.join() !== open.join()) return `contents[${at}]: the calls [${open}] need responses; there are [${answered}]`;
    if (answers.some(({ response }) => !isObject(response))) return `contents[${at}]: a response must be an object`;
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    if (calls.some(({ args }) => !isObject(args))) return `contents[${at}]: args must be an object`;
    open = calls.map(keyOf);
  }
  return open.length > 0 ? `the calls ${open} have no response` : undefined;
}

const keyOf = ({ id, name }) => `${name} ${id ?? ""}`;

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
