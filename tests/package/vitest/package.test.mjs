// Vitest, with jsdom and without: snapshots of results and errors are the same whichever build of the package is loaded.
import { decode, DecodeError, StreamAccumulator } from "respool";
import { expect, test } from "vitest";

test("a result", () => {
  const accumulator = new StreamAccumulator();
  accumulator.pushBytes(Buffer.from('data: {"choices":[{"delta":{"content":"Tromsø ⛴️"}}]}\n\n'));
  accumulator.push({ choices: [{ delta: {}, finish_reason: "stop" }] });
  const { text, ending, finishReason } = accumulator.finish();
  expect({ text, ending, finishReason }).toMatchInlineSnapshot(`
    {
      "ending": "complete",
      "finishReason": "complete",
      "text": "Tromsø ⛴️",
    }
  `);
  expect(accumulator).toMatchInlineSnapshot(`StreamAccumulator {}`);
});

test("an error", () => {
  expect(new DecodeError("mine", "a message")).toMatchInlineSnapshot(`[DecodeError: a message]`);
  expect(() => decode({})).toThrow(DecodeError);
});
