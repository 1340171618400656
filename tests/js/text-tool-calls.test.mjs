// Tool calls and reasoning in text: the fixtures that Rust runs too, streams, and options.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { StreamAccumulator, extractToolCalls } from "respool";
import { ROOT } from "../../scripts/paths.mjs";

const FIXTURES = join(ROOT, "tests", "fixtures", "text-formats");
const TOOLS = [
  { name: "tide", input_schema: { type: "object", properties: { place: { type: "string" }, days: { type: "integer" } } } },
];
const CALL = '<tool_call>{"name": "tide", "arguments": {"place": "Brest"}}</tool_call>';

const chunkOf = (delta, finish_reason = null) => ({ id: "c", choices: [{ index: 0, delta, finish_reason }] });
const streamOf = (pieces, options) => {
  const accumulator = new StreamAccumulator(options);
  const deltas = pieces.flatMap((content) => accumulator.push(chunkOf({ content })));
  deltas.push(...accumulator.push(chunkOf({}, "stop")));
  return { deltas, result: accumulator.finish() };
};
const joined = (deltas, type) =>
  deltas
    .filter((delta) => delta.type === type)
    .map((delta) => delta.text)
    .join("");
const callsOf = (calls) => calls.map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) }));
const invalid = (pattern) => (error) => error.code === "invalid-option" && pattern.test(error.message);

test("the deltas of repeated chunks are the text, also in quotations", () => {
  const quoted = ["Page", ":\n", "<!-- Main", " nav", "-", "bar", " --", ">\n<nav", ">x</", "nav>", " `a\n", "b", "` ", "end"];
  const { deltas, result } = streamOf(quoted, { textToolCalls: { tools: TOOLS } });
  assert.equal(joined(deltas, "text"), quoted.join(""));
  assert.equal(result.text, quoted.join(""));
});

for (const folder of readdirSync(FIXTURES)) {
  describe(folder, () => {
    for (const file of readdirSync(join(FIXTURES, folder))) {
      const { formats, tools, cases } = JSON.parse(readFileSync(join(FIXTURES, folder, file), "utf8"));
      for (const { name, text, tags, open = false, expected, ...own } of cases) {
        test(name, () => {
          const textToolCalls = { tools: own.tools ?? tools, formats: own.formats ?? formats };
          const reasoningTags = tags?.includes("*") ? { open } : false;
          const found = extractToolCalls(text, { ...textToolCalls, reasoningTags });
          assert.equal(found.text, expected.text);
          if (expected.toolCalls) {
            const wanted = expected.toolCalls.map((call) => ({ name: call.name, arguments: call.arguments }));
            assert.deepEqual(callsOf(found.toolCalls), wanted);
          } else {
            assert.deepEqual(found.toolCallStatus, [expected.invalid ? "invalid" : "truncated"]);
          }
          const { result, deltas } = streamOf(Array.from(text), { textToolCalls, reasoningTags });
          assert.equal(result.text, found.text);
          assert.equal(joined(deltas, "text"), found.text);
          assert.equal(joined(deltas, "reasoning"), found.reasoning);
          assert.deepEqual(
            result.toolCalls.map((call) => [call.name, call.arguments]),
            found.toolCalls.map((call) => [call.name, call.arguments]),
          );
          assert.equal(result.finishReason, result.toolCalls.length > 0 ? "tool_use" : "complete");
        });
      }
    }
  });
}

describe("streams", () => {
  const textToolCalls = { tools: TOOLS };

  test("deltas come as early as possible", () => {
    const { deltas } = streamOf(['Hi <tool_call>{"name": "tide", ', '"arguments": {"place": "Br', 'est"}', "}</tool_call>"], {
      textToolCalls,
    });
    const types = deltas.map((delta) => delta.type);
    assert.deepEqual(types, [
      "text",
      "tool-call-start",
      "tool-call-delta",
      "tool-call-delta",
      "tool-call-delta",
      "tool-call-end",
      "finish",
    ]);
    assert.equal(deltas[0].text, "Hi ");
    assert.deepEqual(deltas[5].toolCall.arguments, '{"place": "Brest"}');
  });

  test("the response agrees", () => {
    const { result } = streamOf(["Well. ", CALL], { textToolCalls });
    assert.equal(result.response.message, "Well. ");
    assert.deepEqual(
      result.response.toolCalls.map((call) => call.arguments),
      [{ place: "Brest" }],
    );
    assert.equal(result.response.finishReason, "tool_use");
    assert.deepEqual(result.toolCallStatus, ["complete"]);
  });

  test("calls stay text without the options", () => {
    assert.deepEqual(streamOf([CALL]).result.toolCalls, []);
    assert.equal(streamOf([CALL]).result.text, CALL);
  });

  test("repeated chunks, bytes and objects lead to the same result", () => {
    const pieces = Array.from(`A wave of words. <think>of course</think> ${CALL} for all \`${CALL}\``);
    const options = { textToolCalls, reasoningTags: true };
    const lines = [...pieces.map((content) => chunkOf({ content })), chunkOf({}, "stop")].map(
      (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
    );
    const plain = (deltas) => [
      joined(deltas, "text"),
      joined(deltas, "reasoning"),
      deltas.filter((delta) => delta.type === "tool-call-end"),
    ];
    const { deltas, result } = streamOf(pieces, { ...options, templates: false });
    for (const templates of [true, false]) {
      const bytes = new StreamAccumulator({ ...options, templates });
      const emitted = lines.flatMap((line) => bytes.pushBytes(new TextEncoder().encode(line)));
      assert.deepEqual(bytes.finish(), result);
      assert.deepEqual(plain(emitted), plain(deltas));
    }
    const objects = streamOf(pieces, options);
    assert.deepEqual(objects.result, result);
    assert.deepEqual(plain(objects.deltas), plain(deltas));
  });

  test("reasoning between repeated texts keeps its type", () => {
    const { deltas } = streamOf(["a", "b", "c", "<think>", "a", "b", "c", "</think>", "a", "b"], { reasoningTags: true });
    assert.deepEqual([joined(deltas, "text"), joined(deltas, "reasoning")], ["abcab", "abc"]);
  });

  test("reasoning between tags that a field says too is there once", () => {
    const thought = (content, reasoning_content) => chunkOf({ content, reasoning_content });
    const cases = {
      "in the same chunks": [
        thought("<think>"),
        thought("Ebb ", "Ebb "),
        thought("or flow?", "or flow?"),
        thought("</think>Ebb."),
      ],
      "behind the field": [thought("", "Ebb or flow?"), thought("<think>\nEbb or"), thought(" flow?\n</think>Ebb.")],
      "with more of it": [thought("", "Ebb or"), thought("<think>Ebb or flow?</think>Ebb.")],
      "before the field": [thought("<think>\nEbb or flow?"), thought("</think>"), thought("Ebb."), thought("", "Ebb or flow?")],
      "before the field in pieces": [
        thought("<think>Ebb or "),
        thought("flow?</think>Ebb."),
        ...["Ebb", " or fl", "ow?"].map((piece) => thought(null, piece)),
      ],
      "by turns, before the field": [
        thought("<think>Ebb or "),
        thought(null, "Ebb or "),
        thought("flow?</think>"),
        thought(null, "flow?"),
        thought("Ebb."),
      ],
    };
    for (const [name, chunks] of Object.entries(cases)) {
      const accumulator = new StreamAccumulator({ reasoningTags: true });
      const deltas = [...chunks, chunkOf({}, "stop")].flatMap((chunk) => accumulator.push(chunk));
      const { reasoning, text } = accumulator.finish();
      accumulator.free();
      const expected = name === "with more of it" ? "Ebb orflow?" : "Ebb or flow?";
      assert.deepEqual([reasoning, text, joined(deltas, "reasoning")], [expected, "Ebb.", expected], name);
    }
    const other = new StreamAccumulator({ reasoningTags: true });
    other.push(thought("", "Ebb or flow?"));
    for (const piece of ["<think>Ebb ", "it is.</think>", "Ebb."]) other.push(thought(piece));
    assert.equal(other.finish().reasoning, "Ebb or flow?Ebb it is.");
    other.free();
    const later = new StreamAccumulator({ reasoningTags: true });
    later.push(thought("<think>Ebb or flow?</think>Ebb."));
    const told = ["Ebb ", "it is."].flatMap((piece) => later.push(thought(null, piece)));
    assert.equal(joined(told, "reasoning"), "Ebb it is.");
    assert.equal(later.finish().reasoning, "Ebb it is.Ebb or flow?");
    later.free();
    const message = { role: "assistant", content: "<think>Ebb?</think>Ebb.", reasoning_content: "Ebb?" };
    const body = { object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
    const whole = new StreamAccumulator({ reasoningTags: true });
    whole.push(body);
    assert.equal(whole.finish().reasoning, "Ebb?");
    whole.free();
  });

  test("structured calls take precedence", () => {
    const accumulator = new StreamAccumulator({ textToolCalls });
    accumulator.push(chunkOf({ tool_calls: [{ index: 0, id: "a", function: { name: "tide", arguments: "{}" } }] }));
    accumulator.push(chunkOf({ content: CALL }));
    const { text, toolCalls } = accumulator.finish();
    assert.deepEqual([text, toolCalls.length], [CALL, 1]);
  });

  test("later structured calls take precedence, too", () => {
    const accumulator = new StreamAccumulator({ textToolCalls });
    const emitted = accumulator.push(chunkOf({ content: `Well. ${CALL}` }));
    assert.deepEqual(
      emitted.map((delta) => delta.type),
      ["text", "tool-call-start", "tool-call-delta"],
    );
    emitted.push(
      ...accumulator.push(chunkOf({ tool_calls: [{ index: 0, id: "a", function: { name: "tide", arguments: "{}" } }] })),
    );
    emitted.push(...accumulator.push(chunkOf({}, "tool_calls")));
    const { text, toolCalls, toolCallStatus, warnings, response } = accumulator.finish();
    assert.equal(text, "Well. ");
    assert.deepEqual(toolCalls, [{ id: "a", name: "tide", arguments: "{}" }]);
    assert.deepEqual(toolCallStatus, ["complete"]);
    assert.equal(response.toolCalls.length, 1);
    assert.deepEqual(
      warnings.map((warning) => warning.code),
      ["superseded-tool-call"],
    );
    const ends = emitted.filter((delta) => delta.type === "tool-call-end").map((delta) => [delta.index, delta.status]);
    assert.deepEqual(ends.sort(), [
      [0, "invalid"],
      [1, "complete"],
    ]);
  });

  test("a call ends with the answer, before the finish reason", () => {
    const { deltas } = streamOf([CALL, " Done."], { textToolCalls });
    const types = deltas.map((delta) => delta.type);
    assert.deepEqual(types.slice(-3), ["text", "tool-call-end", "finish"]);
  });

  test("a stream that breaks off keeps its calls", () => {
    const accumulator = new StreamAccumulator({ textToolCalls });
    accumulator.push(chunkOf({ content: '<tool_call>{"name": "tide"}</tool_call> Now' }));
    const { toolCalls, toolCallStatus, ending } = accumulator.finish();
    assert.deepEqual([toolCalls[0].arguments, toolCallStatus[0], ending], ["{}", "complete", "truncated"]);
  });

  test("choices are kept apart", () => {
    const accumulator = new StreamAccumulator({ textToolCalls });
    const half = Math.floor(CALL.length / 2);
    for (const content of [CALL.slice(0, half), CALL.slice(half)]) {
      for (const index of [0, 1]) accumulator.push({ choices: [{ index, delta: { content } }] });
    }
    const { response } = accumulator.finish();
    assert.deepEqual(
      response.choices.map((choice) => choice.toolCalls.length),
      [1, 1],
    );
  });

  test("a rejected call leads to a warning and stays text", () => {
    const text = '<tool_call>{"name": "rm", "arguments": {}}</tool_call>';
    const { result, deltas } = streamOf([text], { textToolCalls });
    assert.equal(result.text, text);
    assert.deepEqual(
      result.warnings.map((warning) => warning.code),
      ["rejected-tool-call"],
    );
    assert.equal(deltas.filter((delta) => delta.type === "warning").length, 1);
  });

  test("buffered text is emitted when the stream ends", () => {
    const accumulator = new StreamAccumulator({ textToolCalls });
    const deltas = accumulator.push(chunkOf({ content: "a <tool_c" }));
    assert.equal(joined(deltas, "text"), "a ");
    assert.equal(accumulator.finish().text, "a <tool_c");
    assert.equal(joined(accumulator.takeDeltas(), "text"), "<tool_c");
  });
});

describe("arguments", () => {
  const schema = {
    properties: {
      n: { type: "integer" },
      x: { type: ["number", "null"] },
      b: { anyOf: [{ type: "boolean" }, { type: "null" }] },
      l: { type: "array" },
      o: { $ref: "#/$defs/o" },
      s: { type: "string" },
      e: { enum: [1, "two"] },
      c: { const: 7 },
      q: { type: "string", nullable: true },
    },
    $defs: { o: { type: "object" } },
  };
  const tools = [{ type: "function", name: "f", parameters: schema }];
  const typed = (values) => {
    const inner = Object.entries(values).map(([name, text]) => `<parameter=${name}>\n${text}\n</parameter>`);
    return extractToolCalls(`<tool_call><function=f>${inner.join("")}</function></tool_call>`, { tools });
  };

  test("follow the schema", () => {
    const { toolCalls, warnings } = typed({
      n: "12",
      x: "1.5e3",
      b: "True",
      l: "[1, 'a']",
      o: '{"k": null}',
      s: "12",
      e: "two",
      c: "7",
      q: "null",
    });
    const expected = { n: 12, x: 1500, b: true, l: [1, "a"], o: { k: null }, s: "12", e: "two", c: 7, q: null };
    assert.deepEqual(JSON.parse(toolCalls[0].arguments), expected);
    assert.deepEqual(warnings, []);
  });

  test("a value that doesn't fit stays a string, with a warning", () => {
    const { toolCalls, warnings } = typed({ n: "1.5", b: "yes", o: "[1]", other: "1" });
    assert.deepEqual(JSON.parse(toolCalls[0].arguments), { n: "1.5", b: "yes", o: "[1]", other: "1" });
    assert.deepEqual(
      warnings.map((warning) => warning.code),
      Array(4).fill("unfit-argument"),
    );
  });

  const broken = {
    "single quotes": "{'name': 'f', 'arguments': {'s': 'it\\'s', 'b': True, 'x': None}}",
    "trailing commas": '{"name": "f", "arguments": {"s": "it\'s", "b": true, "x": null,},}',
    "keys without quotes": '{name: "f", arguments: {s: "it\'s", b: true, x: null}}',
    "parameters, and white space in the name": '{"name": " f ", "parameters": {"s": "it\'s", "b": true, "x": null}}',
    "arguments as a string": '{"name": "f", "arguments": "{\\"s\\": \\"it\'s\\", \\"b\\": true, \\"x\\": null}"}',
    "missing braces": '{"name": "f", "arguments": {"s": "it\'s", "b": true, "x": null',
    "a brace too many": '{"name": "f", "arguments": {"s": "it\'s", "b": true, "x": null}}}',
    comments: '{"name": "f", /* which */ "arguments": {"s": "it\'s", // why\n "b": true, "x": null}}',
    "arguments first": '{"arguments": {"s": "it\'s", "b": true, "x": null}, "name": "f"}',
    "missing commas": '{"name": "f" "arguments": {"s": "it\'s" "b": true, "x": null}}',
    "a function in an object":
      '{"type": "function", "function": {"name": "f", "arguments": {"s": "it\'s", "b": true, "x": null}}}',
  };
  for (const [name, json] of Object.entries(broken)) {
    test(name, () => {
      const { toolCalls, text } = extractToolCalls(`<tool_call>\n${json}\n</tool_call>`, { tools });
      assert.deepEqual(callsOf(toolCalls), [{ name: "f", arguments: { s: "it's", b: true, x: null } }]);
      assert.equal(text, "");
    });
  }

  test("strings", () => {
    const { toolCalls } = extractToolCalls(
      '<tool_call>{"name": "f", "arguments": {"s": "a\nb\t"quoted" \\d \\u00e9 \\x41"}}</tool_call>',
      { tools },
    );
    assert.equal(JSON.parse(toolCalls[0].arguments).s, 'a\nb\t"quoted" \\d é A');
  });
});

describe("reasoning", () => {
  const read = (text, reasoningTags) => {
    const { text: rest, reasoning, toolCalls } = extractToolCalls(text, { tools: TOOLS, reasoningTags });
    return [reasoning, rest, toolCalls.length];
  };

  test("all tags", () => {
    for (const [open, close] of [
      ["<think>", "</think>"],
      ["[THINK]", "[/THINK]"],
      ["<seed:think>", "</seed:think>"],
      ["◁think▷", "◁/think▷"],
      ["<|START_THINKING|>", "<|END_THINKING|>"],
      ["<mm:think>", "</mm:think>"],
      ["<|channel>thought\n", "<channel|>"],
      ["<|channel|>analysis<|message|>", "<|end|>"],
    ]) {
      assert.deepEqual(read(`${open}Why?${close}\nSo.`, true), ["Why?", "So.", 0], open);
    }
  });

  test("the tag was opened in the prompt", () => assert.deepEqual(read("Why?</think>So.", { open: true }), ["Why?", "So.", 0]));
  test("the tag is opened twice", () => assert.deepEqual(read("<think>Why?</think>So.", { open: true }), ["Why?", "So.", 0]));
  test("the tag isn't closed", () => assert.deepEqual(read("<think>Why?", true), ["Why?", "", 0]));
  test("the tag wasn't opened", () => assert.deepEqual(read("Why?</think>So.", true), ["", "Why?So.", 0]));
  test("a call ends reasoning", () => assert.deepEqual(read(`<think>Why?${CALL}`, true), ["Why?", "", 1]));
  test("a call inside reasoning doesn't count", () =>
    assert.deepEqual(read(`<think>${CALL}?</think>${CALL}`, true), [`${CALL}?`, "", 1]));
  test("custom tags", () => assert.deepEqual(read("<plan>Why?</plan><think>", ["plan"]), ["Why?", "<think>", 0]));
  test("disabled", () => assert.deepEqual(read("<think>Why?</think>", false), ["", "<think>Why?</think>", 0]));
});

test("the types, the guide and the module name the same formats", () => {
  const names = (() => {
    try {
      extractToolCalls("", { tools: [], formats: ["nope"] });
    } catch (error) {
      return error.message.slice(error.message.indexOf("there are ") + 10).split(", ");
    }
  })();
  assert.ok(names.length > 20);
  const [, union] = /export type TextFormat =([^;]*);/.exec(readFileSync(join(ROOT, "js/types/text.d.ts"), "utf8"));
  assert.deepEqual(
    Array.from(union.matchAll(/"(.+?)"/g), ([, name]) => name),
    names,
  );
  const guide = readFileSync(join(ROOT, "docs/text-tool-calls.md"), "utf8");
  for (const name of names) assert.ok(guide.includes(`\`${name}\``) || guide.includes(`\`"${name}"\``), name);
});

describe("invalid options", () => {
  const cases = [
    [{ tools: TOOLS, formats: "hermse" }, /formats has no "hermse"; there are auto, hermes,/],
    [{ formats: "auto" }, /options\.tools must be a list of tool definitions/],
    [{ tools: TOOLS, format: "auto" }, /^Unknown option `format`\. Did you mean `formats`\?/],
    [{ tools: TOOLS, formats: [7] }, /options\.formats must be a name/],
    [{ tools: TOOLS, reasoningTags: { open: 1 } }, /reasoningTags\.open must be true or false/],
    [{ tools: TOOLS, reasoningTags: new Array(2 ** 32 - 1) }, /reasoningTags must be a name, or a list of at most 100 names/],
    [{ tools: TOOLS, formats: new Array(101).fill("hermes") }, /formats must be a name, or a list of at most 100 names/],
    [{ tools: new Array(2 ** 32 - 1) }, /tools must be a list of at most 10000 tools/],
  ];
  for (const [options, message] of cases) {
    test(message.source, () => assert.throws(() => extractToolCalls("", options), invalid(message)));
  }
  test("no text", () => assert.throws(() => extractToolCalls(7, { tools: [] }), invalid(/the text must be a string/)));
  test("of a stream", () => {
    assert.throws(() => new StreamAccumulator({ textToolCalls: { tools: {} } }), invalid(/options\.textToolCalls\.tools/));
  });
});

test("arguments that aren't an object don't make a call", () => {
  const tools = [{ type: "function", function: { name: "tide" } }];
  for (const value of ["nonsense", "[1]", "7", '"Bodø"']) {
    const text = `<tool_call>{"name":"tide","arguments":${value}}</tool_call>`;
    const found = extractToolCalls(text, { tools });
    assert.deepEqual([found.text, found.toolCalls], [text, []], value);
    assert.deepEqual(
      found.rejected.map(({ name, reason }) => [name, reason]),
      [["tide", "invalid-arguments"]],
      value,
    );
  }
});
