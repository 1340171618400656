// Gemini's generateContent, streamed: https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
import { objectCase, readCases } from "./cases.mjs";
import { argumentText, proseTokens } from "./tokens.mjs";

const TEXT_EVENTS = 600;
/** Gemini sends several tokens at once. */
const TOKENS_PER_EVENT = 6;
const ARGUMENT_CHARACTERS = 1400;

export default [...readCases("Gemini", "gemini reads", textAndCall), objectCase("Gemini", "gemini objects", textAndCall)];

/** @import { Random } from "../random.mjs" */
/** @import { Stream } from "./cases.mjs" */

/** @param {number} scale @param {Random} random @returns {Stream<object>} */
function textAndCall(scale, random) {
  const pieces = Array.from({ length: Math.ceil(TEXT_EVENTS * scale) }, () =>
    proseTokens(random, random.integer(1, TOKENS_PER_EVENT)),
  );
  // A call arrives whole, with its arguments as an object.
  const call = { id: random.letters(8), name: "timetable", arguments: argumentText(random, ARGUMENT_CHARACTERS * scale) };
  const responseId = random.letters(24);
  let output = 0;
  const chunk = (/** @type {object[]} */ parts, /** @type {number} */ tokens, end = {}) => {
    output += tokens;
    return {
      candidates: [{ content: { parts, role: "model" }, ...end, index: 0 }],
      usageMetadata: {
        promptTokenCount: 57,
        candidatesTokenCount: output,
        totalTokenCount: 57 + output,
        promptTokensDetails: [{ modality: "TEXT", tokenCount: 57 }],
      },
      modelVersion: "gemini-2.5-flash",
      responseId,
    };
  };
  const functionCall = { id: call.id, name: call.name, args: JSON.parse(call.arguments) };
  const events = [
    ...pieces.map((tokens) => chunk([{ text: tokens.join("") }], tokens.length)),
    chunk([{ functionCall }], 40),
    chunk([{ text: "" }], 0, { finishReason: "STOP" }),
  ];
  return {
    events,
    wire: (event) => `data: ${JSON.stringify(event)}\r\n\r\n`,
    expected: {
      text: pieces.flat().join(""),
      toolCalls: [call],
      finishReason: "STOP",
      usage: { input: 57, output },
    },
  };
}
