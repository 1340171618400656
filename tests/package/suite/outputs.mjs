// JSON that models write: structured output, arguments, and partial values.
import { CHAT, CHUNKS } from "../bodies.mjs";
import { equal, ok, thrownBy } from "../expect.mjs";

/** A schema in the form of validation libraries. */
const PORT = {
  "~standard": {
    version: 1,
    vendor: "a test",
    validate: (value) =>
      typeof value?.port === "string" ? { value: value.port } : { issues: [{ message: "not a string", path: ["port"] }] },
  },
};

const answer = (content) => ({ choices: [{ message: { content } }] });

export default {
  "structured output keeps its text"({ process, RAW_JSON, cast }) {
    const content = '{"n": 90071992547409931}';
    const result = process({ outputs: [{ name: "n", kind: "integer" }] }, answer(content));
    ok(typeof result === "object" && "n" in result, "an object");
    equal(result[RAW_JSON], content, "RAW_JSON");
    equal(
      cast(result, (_, json) => String(BigInt(/\d+/.exec(json)[0]))),
      "90071992547409931",
      "a number that is too large",
    );
  },

  "names of prototypes are names"({ process }) {
    const value = process({ outputs: ["x"] }, answer('{"__proto__": {"polluted": true}, "constructor": 1}'));
    ok(Object.hasOwn(value, "__proto__") && value.constructor === 1, "members of its own");
    ok({}.polluted === undefined, "no other object to be changed");
  },

  async "a schema has the last word"({ parseStructuredOutput, parseStructuredOutputAsync, OutputParseError }) {
    equal(parseStructuredOutput('{"port":"Bodø"}', PORT), "Bodø", "value");
    equal(await parseStructuredOutputAsync(Promise.resolve('{"port":"Bodø"}'), async ({ port }) => port), "Bodø", "a promise");
    const error = await thrownBy(() => parseStructuredOutput('{"port":5}', PORT), "a value that does not fit");
    ok(error instanceof OutputParseError, `an OutputParseError, not ${error}`);
    equal([error.code, error.issues], ["invalid-output", [{ path: ["port"], message: "not a string" }]], "code and issues");
  },

  "arguments of calls"({ parseToolArguments, process }) {
    const [action] = parseToolArguments(process({}, CHAT));
    equal([action.toolName, action.arguments.port], ["tide", "Skjervøy"], "action");
    const [repaired] = parseToolArguments([{ id: "a", name: "tide", arguments: "{'port': 'Bodø',}" }], { repair: true });
    equal([repaired.arguments, repaired.status], [{ port: "Bodø" }, "complete"], "repaired");
  },

  "text that is nearly JSON"({ repairJson }) {
    const { value, repair, status } = repairJson("Sure: {'port': 'Bodø', 'open': True}");
    equal([value, repair, status], [{ port: "Bodø", open: true }, "python-literals", "complete"], "prose");
    equal(repairJson('{"days":[1,2').status, "truncated", "without its end");
  },

  "the beginning of JSON"({ parsePartialJson }) {
    equal(
      parsePartialJson('{"port":"Bodø","days":[1,2,"Thu'),
      { value: { port: "Bodø", days: [1, 2, "Thu"] }, state: "partial" },
      "partial",
    );
    equal(parsePartialJson("[1]"), { value: [1], state: "complete" }, "complete");
    equal(parsePartialJson("[}").state, "invalid", "invalid");
  },

  "arguments while they arrive"({ PartialJson, StreamAccumulator }) {
    const accumulator = new StreamAccumulator({ partialJson: true });
    const live = new PartialJson();
    const seen = [];
    for (const chunk of CHUNKS) {
      for (const delta of accumulator.push(chunk)) live.apply(delta);
      // The value of the call that began first.
      seen.push(JSON.stringify(live.get(0)));
    }
    accumulator.finish();
    for (const delta of accumulator.takeDeltas()) live.apply(delta);
    equal([live.get(0), live.get(1), live.isDone(0)], [{ hours: 24 }, { port: "Skjervøy" }, true], "values");
    ok(seen.includes(undefined) && seen.includes("{}") && seen.includes('{"hours":24}'), `a value that grows, not ${seen}`);
    accumulator.free();
  },
};
