// Jest, with jsdom and without: snapshots of results and errors are the same whichever build of the package is loaded.
const { collect, decode, DecodeError, registerCodec, StreamAccumulator, StreamDeltas } = require("respool");

const CALL = { index: 0, id: "call_1", function: { name: "tide", arguments: '{"port":"Skjervøy"}' } };

test("a result", () => {
  const accumulator = new StreamAccumulator();
  accumulator.pushBytes(Buffer.from('data: {"choices":[{"delta":{"content":"Tromsø ⛴️"}}]}\n\n'));
  accumulator.push({ choices: [{ delta: { tool_calls: [CALL] }, finish_reason: "tool_calls" }] });
  const { text, toolCalls, ending, finishReason } = accumulator.finish();
  expect({ text, toolCalls, ending, finishReason }).toMatchInlineSnapshot(`
{
  "ending": "complete",
  "finishReason": "tool_use",
  "text": "Tromsø ⛴️",
  "toolCalls": [
    {
      "arguments": "{"port":"Skjervøy"}",
      "id": "call_1",
      "name": "tide",
    },
  ],
}
`);
  expect(accumulator).toMatchInlineSnapshot(`StreamAccumulator {}`);
});

test("an error", () => {
  expect(new DecodeError("mine", "a message")).toMatchInlineSnapshot(`[DecodeError: a message]`);
  expect(() => decode({})).toThrow(DecodeError);
});

test("the error names a missing global", () => {
  if (typeof TransformStream === "undefined") {
    expect(() => new StreamDeltas()).toThrow("StreamDeltas needs the global TransformStream, which is not defined here");
  } else {
    expect(new StreamDeltas().result).toBe(undefined);
  }
});

test("an error page and a codec's body are read without TextDecoder", async () => {
  const page = Buffer.from('\ufeff{"error":{"message":"Havnen er stengt ⛴️"}}');
  const body = [page.subarray(0, 36), page.subarray(36)]; // in the middle of a character
  await expect(collect({ status: 503, headers: { get: () => null }, body })).rejects.toThrow("Havnen er stengt ⛴️");

  const tide = {
    name: "tide",
    detect: (input) => "tide" in input,
    decode: ({ tide: text }) => ({ type: "text", text }),
    stream: () => () => null,
  };
  const unregister = registerCodec(tide);
  expect((await collect([Buffer.from('{"tide":"Flo i Tromsø"}')])).text).toBe("Flo i Tromsø");
  unregister();
});
