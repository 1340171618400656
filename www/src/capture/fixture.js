// Writes a recording as a case for tests/fixtures/quirks, in the format described in tests/fixtures/README.md.
import { StreamAccumulator } from "respool";
import { parseEvent } from "./event.js";
import { isObject, parseJson } from "./values.js";

/** @import { StreamResult } from "respool" */
/** @import { Recording } from "../session/recording.js" */

/** @param {Recording} recording @returns {string} JSON */
export function toFixture(recording) {
  const { name, api, result, value, isBody } = recording;
  const expected = {
    ...outcomeOf(result, isBody),
    ...(result.warnings.length > 0 ? { warns: true } : {}),
    ...(isBody ? { process: value } : {}),
  };
  return `${JSON.stringify({ name, api, input: inputOf(recording), expected }, null, 2)}\n`;
}

/** @param {StreamResult} result @param {boolean} isBody */
const outcomeOf = (result, isBody) => ({
  ...unlessEmpty("text", result.text),
  ...unlessEmpty("reasoning", result.reasoning),
  ...unlessEmpty("refusal", result.refusal),
  ...(result.toolCalls.length > 0 ? { toolCalls: result.toolCalls, toolCallStatus: result.toolCallStatus } : {}),
  ...unlessEmpty("finishReason", result.finishReason),
  ...unlessEmpty("rawFinishReason", result.rawFinishReason),
  ...usageOf(result),
  ...(isBody ? {} : { ending: result.ending }),
  ...errorOf(result),
});

/** @param {string} name @param {unknown} value */
const unlessEmpty = (name, value) => (value === undefined || value === "" ? {} : { [name]: value });

/** @param {StreamResult} result */
function usageOf({ usage }) {
  if (usage === undefined) return {};
  const { raw, ...counts } = usage;
  return Object.keys(counts).length > 0 ? { usage: counts } : {};
}

/** @param {StreamResult} result */
function errorOf({ error }) {
  if (error === undefined) return {};
  const { message, providerType, providerCode } = error;
  return { error: { message, ...unlessEmpty("providerType", providerType), ...unlessEmpty("providerCode", providerCode) } };
}

/**
 * Returns the input: events if they lead to the same result without their framing, AWS messages if they are binary,
 * otherwise the bytes.
 *
 * @param {Recording} recording
 */
function inputOf(recording) {
  const text = new TextDecoder().decode(recording.bytes);
  if (recording.isBody) return { body: JSON.parse(text) };
  if (recording.framing === "messages") return { frames: recording.frames.map((frame) => messageIn(recording.bytesOf(frame))) };
  const events = recording.frames.map((frame) => eventIn(recording.textOf(frame)));
  if (events.at(-1) === "[DONE]") events.pop();
  return hasSameOutcome(events, recording.result) ? { events } : { bytes: text };
}

/**
 * Whether events without their framing, and thus without names and end marker, lead to this result.
 *
 * @param {unknown[]} events
 * @param {StreamResult} result
 */
function hasSameOutcome(events, result) {
  if (!events.every(isObject)) return false;
  const accumulator = new StreamAccumulator();
  for (const event of events) accumulator.push(event);
  const replayed = accumulator.finish();
  accumulator.free();
  return JSON.stringify(outcomeOf(replayed, false)) === JSON.stringify(outcomeOf(result, false));
}

/** Converts a message of an AWS event stream. @param {Uint8Array} frame */
function messageIn(frame) {
  const { headers = {}, isJson, data } = parseEvent(frame);
  return {
    ...unlessEmpty("event", headers[":event-type"]),
    ...unlessEmpty("exception", headers[":exception-type"]),
    ...unlessEmpty("error", headers[":error-code"]),
    ...unlessEmpty("message", headers[":error-message"]),
    ...(isJson ? { payload: JSON.parse(data) } : { text: data }),
  };
}

/** @param {string} frame */
function eventIn(frame) {
  const data = frame.match(/^(?:event: \S+\n)?data: (.*)\n\n$/)?.[1] ?? frame;
  return parseJson(data) ?? data.trim();
}
