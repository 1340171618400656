// A recording as a case of tests/fixtures/quirks, in the form that tests/fixtures/README.md describes.

/** @returns {string} JSON */
export function toFixture(recording) {
  const { name, api, result, value, isBody } = recording;
  const expected = {
    ...filled("text", result.text),
    ...filled("reasoning", result.reasoning),
    ...filled("refusal", result.refusal),
    ...(result.toolCalls.length > 0 ? { toolCalls: result.toolCalls, toolCallStatus: result.toolCallStatus } : {}),
    ...filled("finishReason", result.finishReason),
    ...filled("rawFinishReason", result.rawFinishReason),
    ...usageOf(result),
    ...(isBody ? {} : { ending: result.ending }),
    ...errorOf(result),
    ...(result.warnings.length > 0 ? { warns: true } : {}),
    ...(isBody ? { process: value } : {}),
  };
  return `${JSON.stringify({ name, api, input: inputOf(recording), expected }, null, 2)}\n`;
}

const filled = (name, value) => (value === undefined || value === "" ? {} : { [name]: value });

function usageOf({ usage }) {
  if (usage === undefined) return {};
  const { raw, ...counts } = usage;
  return Object.keys(counts).length > 0 ? { usage: counts } : {};
}

function errorOf({ error }) {
  if (error === undefined) return {};
  const { message, providerType, providerCode } = error;
  return { error: { message, ...filled("providerType", providerType), ...filled("providerCode", providerCode) } };
}

/** Events where their framing is nothing special; else the bytes. */
function inputOf(recording) {
  const text = new TextDecoder().decode(recording.bytes);
  if (recording.isBody) return { body: JSON.parse(text) };
  const events = recording.frames.map((frame) => eventIn(recording.textOf(frame)));
  if (events.at(-1) === "[DONE]") events.pop();
  return events.every((event) => typeof event === "object" && event !== null) ? { events } : { bytes: text };
}

function eventIn(frame) {
  const data = frame.match(/^(?:event: \S+\n)?data: (.*)\n\n$/)?.[1] ?? frame;
  try {
    return JSON.parse(data);
  } catch {
    return data.trim();
  }
}
