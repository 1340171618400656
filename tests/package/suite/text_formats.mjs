// The text formats among the repository's fixtures: at once, and as the text of a stream.
import { TEXTS } from "../fixtures.mjs";
import { equal } from "../expect.mjs";

/** Number of characters per delta. */
const PIECE = 3;

export default Object.fromEntries(
  JSON.parse(TEXTS).map(({ name, formats, tools, text, tags, open = false, expected }) => [
    name,
    ({ extractToolCalls, StreamAccumulator }) => {
      const textToolCalls = { tools, formats };
      const reasoningTags = tags ? { tags: tags.includes("*") || tags, open } : false;
      const found = extractToolCalls(text, { ...textToolCalls, reasoningTags });
      equal(found.text, expected.text, "text");
      if (expected.toolCalls === undefined)
        equal(found.toolCallStatus, ["invalid" in expected ? "invalid" : "truncated"], "status");
      else
        equal(
          callsOf(found.toolCalls),
          expected.toolCalls.map(({ name: tool, arguments: given }) => [tool, given]),
          "calls",
        );

      const accumulator = new StreamAccumulator({ textToolCalls, reasoningTags });
      const characters = Array.from(text);
      for (let at = 0; at < characters.length; at += PIECE) {
        accumulator.push({ choices: [{ index: 0, delta: { content: characters.slice(at, at + PIECE).join("") } }] });
      }
      accumulator.push({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
      const result = accumulator.finish();
      accumulator.free();
      equal([result.text, result.reasoning], [found.text, found.reasoning], "a stream");
      equal(namesOf(result.toolCalls), namesOf(found.toolCalls), "calls of a stream");
    },
  ]),
);

const callsOf = (calls) => calls.map(({ name, arguments: json }) => [name, JSON.parse(json)]);
const namesOf = (calls) => calls.map(({ name, arguments: json }) => [name, json]);
