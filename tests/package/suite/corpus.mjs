// The answers among the repository's fixtures, compared with their expected results (tests/fixtures/README.md).
import { ANSWERS } from "../fixtures.mjs";
import { sse } from "../bodies.mjs";
import { equal, ok, thrownBy } from "../expect.mjs";

/** Bytes per read, so that reads end inside characters, line ends and everything else. */
const SHORT_READ = 7;
/** Maximum number of reads: long answers have longer reads, or they would take as long as all others together. */
const MOST_READS = 1000;

export default Object.fromEntries(
  JSON.parse(ANSWERS).map(({ name, api, events, bytes, body, text, expected }) => [
    name,
    async (respool) => {
      const streams = {};
      if (events !== undefined) {
        streams.objects = (accumulator) => events.map((event) => accumulator.push(event));
        streams.bytes = inReads(sse(events));
      }
      if (bytes !== undefined) streams.wire = inReads(new TextEncoder().encode(bytes));
      for (const [what, feed] of Object.entries(streams)) checkStream(respool, { api }, feed, expected, what);
      if (body !== undefined) await checkBody(respool, body, expected, readAsJavaScript);
      if (text !== undefined) await checkBody(respool, text, expected, asWritten);
    },
  ]),
);

const inReads = (bytes) => (accumulator) => {
  const size = Math.max(SHORT_READ, Math.ceil(bytes.length / MOST_READS));
  for (let at = 0; at < bytes.length; at += size) accumulator.pushBytes(bytes.subarray(at, at + size));
};

function checkStream({ StreamAccumulator }, options, feed, expected, what) {
  const accumulator = new StreamAccumulator(options);
  feed(accumulator);
  const result = accumulator.finish();
  accumulator.free();
  equal([result.text, result.reasoning, result.refusal], [expected.text ?? "", expected.reasoning ?? "", expected.refusal], what);
  checkCalls(result.toolCalls, expected.toolCalls ?? [], what);
  equal(
    [result.finishReason, result.rawFinishReason],
    [expected.finishReason, expected.rawFinishReason],
    `finish reason of ${what}`,
  );
  equal([result.ending, result.error?.message], [expected.ending, expected.error?.message], `ending of ${what}`);
  equal({ ...result.usage, raw: undefined }, expected.usage ?? {}, `usage of ${what}`);
  equal(result.warnings.length > 0, expected.warns ?? false, `warnings of ${what}`);
}

async function checkBody({ process, RespoolError }, body, expected, argumentsOf) {
  const code = expected.error === undefined ? expected.process?.error?.code : "provider-error";
  if (code !== undefined) {
    const error = await thrownBy(() => process({}, body), "a body without an answer");
    ok(RespoolError.isInstance(error), `a RespoolError, not ${error}`);
    return equal(error.code, code, "code");
  }
  const value = process({}, body);
  const calls = expected.toolCalls ?? [];
  if (expected.process !== undefined) equal(value, expected.process, "process");
  else if (calls.length > 0) checkCalls(value, calls, "the body", argumentsOf);
  else equal(value, expected.text || (expected.refusal ?? ""), "process");
}

const asWritten = (json) => json;

/** JSON as JavaScript parses it: in a parsed body, numbers that JavaScript can't represent have already changed. */
function readAsJavaScript(json) {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

/** Compares calls. Calls without an id from the server must have a generated one. */
function checkCalls(actual, expected, what, argumentsOf = asWritten) {
  const known = expected.map(({ id, name, arguments: json }) => ({ id: id ?? "made up", name, arguments: argumentsOf(json) }));
  const found = actual.map((call, at) => ({
    id: expected[at]?.id === undefined && call.id !== "" ? "made up" : call.id,
    name: call.name,
    arguments: argumentsOf(call.arguments),
  }));
  equal(found, known, `calls of ${what}`);
}
