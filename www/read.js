// Reads a capture and says what is in it, as titled pieces for the page to show.
import { decode, detectApi, process, StreamAccumulator } from "respool";

/**
 * @param {string} capture a stream or a whole body
 * @returns {{ status: string, failed: boolean, pieces: { title: string, value: string }[] }}
 */
export function read(capture) {
  try {
    return isJson(capture) ? readBody(capture) : readStream(capture);
  } catch (error) {
    return { status: `${error.code ?? error.name}: ${error.message}`, failed: true, pieces: [] };
  }
}

function readStream(capture) {
  const accumulator = new StreamAccumulator();
  try {
    const deltas = accumulator.pushBytes(new TextEncoder().encode(capture));
    const result = accumulator.finish();
    return {
      status: `A stream that ended ${result.ending}, read as ${count(deltas.length, "delta")}.`,
      failed: result.ending !== "complete",
      pieces: [
        ...piece("Text", result.text),
        ...piece("Reasoning", result.reasoning),
        ...piece("Refusal", result.refusal),
        ...toolCalls(result.toolCalls),
        ...piece("Finish reason", finishReason(result.finishReason)),
        ...usage(result.usage),
        ...piece("Error", result.error?.message),
        ...piece("Warnings", result.warnings.map((warning) => `${warning.code}: ${warning.message}`).join("\n")),
      ],
    };
  } finally {
    accumulator.free();
  }
}

function readBody(capture) {
  const result = process({}, capture);
  const api = detectApi(capture);
  const pieces = typeof result === "string" ? piece("Text", result) : piece("Result", JSON.stringify(result, null, 2));
  const isAnswer = api !== "openai-embeddings" && api !== "openai-images";
  if (isAnswer) {
    const decoded = decode(capture);
    pieces.push(...piece("Finish reason", finishReason(decoded.finishReason)), ...usage(decoded.usage));
  }
  return { status: `A whole response of ${api}.`, failed: false, pieces };
}

function toolCalls(calls) {
  return calls.map((call, i) => ({ title: `Tool call ${i + 1}`, value: `${call.name}(${call.arguments})\n${call.id}` }));
}

function usage(counts = {}) {
  const numbers = Object.entries(counts).filter(([, value]) => typeof value === "number");
  return piece("Usage", numbers.map(([name, value]) => `${name}: ${value}`).join("\n"));
}

function finishReason(reason) {
  return typeof reason === "object" ? reason.unknown : reason;
}

/** None when there is nothing to show. */
function piece(title, value) {
  return value === undefined || value === "" ? [] : [{ title, value }];
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
