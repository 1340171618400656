// tool(): the definition, the validation by each kind of schema, and the options.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { runRequest, tool } from "respool";
import * as v from "valibot";
import { z } from "zod";
import { callChunk, chunk } from "./answers.mjs";

const context = { signal: new AbortController().signal, toolCall: { id: "a", name: "tide", arguments: "{}" } };
const execute = (args) => args;

const SCHEMAS = {
  "JSON Schema": { type: "object", properties: { port: { type: "string" }, days: { type: "number" } }, required: ["port"] },
  zod: z.object({ port: z.string(), days: z.number().optional() }),
  valibot: toStandardJsonSchema(v.object({ port: v.string(), days: v.optional(v.number()) })),
  arktype: type({ port: "string", "days?": "number" }),
};

for (const [name, parameters] of Object.entries(SCHEMAS)) {
  describe(name, () => {
    const tide = tool({ description: "The tide", parameters, execute });

    test("is sent to the model as JSON Schema", () => {
      const { type: kind, properties, required, $schema } = tide.parameters;
      assert.deepEqual(
        [kind, properties.port.type, properties.days.type, required, $schema],
        ["object", "string", "number", ["port"], undefined],
      );
    });

    test("lets valid arguments through", async () => assert.deepEqual(await tide({ port: "Bodø" }, context), { port: "Bodø" }));

    test("names invalid arguments", async () => {
      const message = /^The arguments of tool 'tide' don't match its parameters: (port: .+|needs `port`|port must be .+)$/;
      for (const args of [{ port: 5 }, {}]) {
        await assert.rejects(tide(args, context), {
          name: "OutputParseError",
          code: "invalid-output",
          message,
          toolName: "tide",
          toolCallId: "a",
        });
      }
    });
  });
}

test("a schema's output is what the tool gets", async () => {
  const parameters = z.object({ days: z.number().default(1), from: z.coerce.date() });
  const jsonSchema = { type: "object", properties: { from: { type: "string", format: "date" } }, required: ["from"] };
  const args = await tool({ parameters, jsonSchema, execute })({ from: "2026-05-17" }, context);
  assert.deepEqual(args, { days: 1, from: new Date("2026-05-17") });
});

test("asynchronous validators are awaited", async () => {
  const parameters = z.object({ port: z.string().refine(async (port) => port === "Bodø", "no such port") });
  const tide = tool({ parameters, jsonSchema: { type: "object" }, execute });
  assert.deepEqual(await tide({ port: "Bodø" }, context), { port: "Bodø" });
  await assert.rejects(tide({ port: "X" }, context), /port: no such port/);
});

test("without parameters any object is valid", async () => {
  const tide = tool({ execute });
  assert.deepEqual([tide.parameters, await tide({ a: 1 }, context)], [{ type: "object" }, { a: 1 }]);
});

test("strict is sent if it is set", async () => {
  const payloads = [];
  for (const api of ["openai-chat", "openai-responses", "anthropic-messages"]) {
    const transport = (payload) => payloads.push(payload) && [chunk("", "stop")];
    await runRequest({ api, transport, messages: [], tools: { tide: tool({ strict: true, execute }) } }).result();
  }
  assert.deepEqual(
    payloads.map(({ tools: [{ strict, function: called }] }) => strict ?? called.strict),
    [true, true, true],
  );
});

describe("invalid options", () => {
  const valibot = v.object({ port: v.string() });
  const ROWS = {
    "a misspelt name": [{ descripton: "x" }, /Unknown option `descripton`\. Did you mean `description`\?/],
    "a description that is none": [{ description: 5 }, /options\.description must be a text/],
    "a function that is none": [{ execute: "x" }, /options\.execute must be a function/],
    "a switch that is none": [{ strict: 1 }, /options\.strict must be true or false/],
    "a schema that can't tell its JSON Schema": [
      { parameters: valibot },
      /The schema of valibot in options\.parameters can't tell its JSON Schema: wrap it with toStandardJsonSchema from @valibot\/to-json-schema, or pass it as options\.jsonSchema/,
    ],
    "a schema without a JSON Schema": [
      { parameters: z.object({ at: z.date() }) },
      /options\.parameters has no JSON Schema: .*options\.jsonSchema/,
    ],
    "a schema that isn't one of an object": [{ parameters: z.string() }, /options\.parameters\.type must be "object"/],
    "two JSON Schemas": [{ parameters: {}, jsonSchema: {} }, /options\.jsonSchema goes with a Standard Schema/],
  };
  for (const [name, [options, message]] of Object.entries(ROWS)) {
    test(name, () => assert.throws(() => tool(options), { name: "RespoolError", code: "invalid-option", message }));
  }

  test("a tool that can't run", async () => {
    const tools = { tide: tool({ description: "x" }) };
    const message = /options\.tools\.tide needs options\.execute, or its name in options\.exitTools/;
    assert.throws(() => runRequest({ transport: () => [], messages: [], tools }), { code: "invalid-option", message });
    await assert.rejects(tools.tide({}, context), { code: "invalid-option" });
  });
});

describe("invalid arguments in a request", () => {
  const parameters = { type: "object", properties: { port: { type: "string" } }, required: ["port"] };
  const run = (options) => {
    const answers = [
      [callChunk({ id: "a", function: { name: "tide", arguments: "{}" } }, "tool_calls")],
      [chunk("Sorry.", "stop")],
    ];
    return runRequest({
      transport: () => answers.shift(),
      messages: [],
      tools: { tide: tool({ parameters, execute }) },
      ...options,
    }).result();
  };
  const error = "The arguments of tool 'tide' don't match its parameters: needs `port`";

  test("go to the model", async () => {
    for (const options of [{}, { onToolError: "feedback" }]) {
      const { state, steps } = await run(options);
      assert.deepEqual([state, steps[0].toolResults[0].error], ["completed", error]);
    }
  });

  test("or fail the request", async () => {
    const { failure } = await run({ onToolError: "fail" });
    assert.deepEqual([failure.code, failure.message, failure.cause.name], ["tool_parse_error", error, "OutputParseError"]);
  });

  test("an error of the tool isn't one of its arguments", async () => {
    const failing = tool({ parameters: { type: "object" }, execute: () => tool({ parameters })({}, context) });
    const { failure } = await run({ tools: { tide: failing } });
    assert.equal(failure.code, "tool_execution_error");
  });
});

describe("the parameters that are sent", () => {
  const parametersIn = {
    "openai-chat": ({ tools }) => tools[0].function.parameters,
    "openai-responses": ({ tools }) => tools[0].parameters,
    "anthropic-messages": ({ tools }) => tools[0].input_schema,
    "bedrock-converse": ({ toolConfig }) => toolConfig.tools[0].toolSpec.inputSchema.json,
    gemini: ({ tools }) => tools[0].functionDeclarations[0].parametersJsonSchema,
    "gemini-interactions": ({ tools }) => tools[0].parameters,
    "ollama-chat": ({ tools }) => tools[0].function.parameters,
    "cohere-chat": ({ tools }) => tools[0].function.parameters,
  };
  const STRICT = ["openai-chat", "openai-responses", "anthropic-messages", "bedrock-converse"];

  async function sent(api, options) {
    let payload;
    const transport = (given) => {
      payload = given;
      return [];
    };
    await runRequest({ api, transport, messages: [], tools: { tide: tool({ execute, ...options }) } }).result();
    return parametersIn[api](payload);
  }

  const ports = { type: "array", items: { type: "object", properties: { name: { type: "string" } } } };
  const parameters = {
    type: "object",
    properties: {
      ports,
      when: { anyOf: [{ $ref: "#/$defs/day" }, { type: ["object", "null"], additionalProperties: { type: "object" } }] },
    },
    required: ["ports"],
    $defs: { day: { type: "object", properties: { day: { type: "number" } } } },
  };
  const closedParameters = {
    type: "object",
    properties: {
      ports: { type: "array", items: { ...ports.items, additionalProperties: false } },
      when: {
        anyOf: [
          { $ref: "#/$defs/day" },
          { type: ["object", "null"], additionalProperties: { type: "object", additionalProperties: false } },
        ],
      },
    },
    required: ["ports"],
    $defs: { day: { ...parameters.$defs.day, additionalProperties: false } },
    additionalProperties: false,
  };

  for (const api of Object.keys(parametersIn)) {
    test(`have properties, in ${api}`, async () => {
      const empty = { type: "object", properties: {} };
      for (const given of [undefined, { type: "object" }]) assert.deepEqual(await sent(api, { parameters: given }), empty);
      assert.deepEqual(await sent(api, { parameters: { required: ["port"] } }), { ...empty, required: ["port"] });
    });

    test(`are closed if they are strict, in ${api}`, async () => {
      const before = structuredClone(parameters);
      const isClosed = STRICT.includes(api);
      assert.deepEqual(await sent(api, { parameters, strict: true }), isClosed ? closedParameters : parameters);
      assert.deepEqual(await sent(api, { parameters }), parameters);
      assert.deepEqual(parameters, before);
    });
  }

  test("may be closed although the arguments aren't checked for that", async () => {
    const args = { ports: [], more: 1 };
    assert.deepEqual(await tool({ parameters, strict: true, execute })(args, context), args);
  });
});
