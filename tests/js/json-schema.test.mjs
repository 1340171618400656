// The validator behind tool(): it agrees with ajv on random schemas and values, and its messages say what is wrong.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import Ajv from "ajv/dist/2020.js";
import { tool } from "respool";
import { numbersFrom, roundsOf, seedOf } from "./random.mjs";

const SEED = seedOf("SCHEMA");
const ROUNDS = roundsOf("SCHEMA", 200);

/** Returns the message about invalid arguments; undefined if they are valid. */
async function faultOf(parameters, args) {
  try {
    await tool({ parameters, execute: () => {} })(args, {});
    return undefined;
  } catch (error) {
    assert.deepEqual([error.name, error.code], ["OutputParseError", "invalid-output"], error);
    return error.message.replace("The arguments don't match its parameters: ", "");
  }
}

const properties = (given, rest) => ({ type: "object", properties: given, ...rest });

describe("messages", () => {
  const ROWS = [
    [properties({ city: { type: "string" } }, { required: ["city", "day"] }), {}, "needs `city`, `day`"],
    [properties({ city: { type: "string" } }), { city: 5 }, "city: must be a string, not a number"],
    [properties({ day: { type: ["integer", "null"] } }), { day: 1.5 }, "day: must be an integer or null, not a number"],
    [properties({ unit: { enum: ["m", "ft"] } }), { unit: "yd" }, 'unit: must be one of "m", "ft"'],
    [properties({ v: { const: 2 } }), { v: 1 }, "v: must be 2"],
    [properties({ a: {} }, { additionalProperties: false }), { b: 1 }, "b: isn't a property; properties: a"],
    [properties({ n: { minimum: 1, multipleOf: 0.1 } }), { n: 0.3 }, "n: must be 1 or more"],
    [
      properties({ s: { pattern: "^\\d+$", maxLength: 2 } }),
      { s: "abc" },
      "s: must match ^\\d+$; s: must have 2 or fewer characters",
    ],
    [
      properties({ days: { items: { type: "string" } } }),
      { days: ["a", 1, 2] },
      "days[1]: must be a string, not a number; days[2]: must be a string, not a number",
    ],
    [
      properties({ x: { anyOf: [{ type: "string" }, { type: "null" }] } }),
      { x: 1 },
      "x: must be a string, not a number, or must be null, not a number",
    ],
    [
      properties({ x: { anyOf: [properties({ port: { type: "string" } }, { required: ["port"] }), { type: "null" }] } }),
      { x: { port: 1 } },
      "x.port: must be a string, not a number",
    ],
    [
      properties({ x: { oneOf: [{ minimum: 1 }, { minimum: 2 }] } }),
      { x: 3 },
      "x: matches 2 of the alternatives, not exactly one",
    ],
    [properties({ x: { not: { type: "string" } } }), { x: "a" }, "x: matches a schema that it must not match"],
    [properties({}, { propertyNames: { maxLength: 1 } }), { ab: 1 }, "ab: has an invalid name"],
    [properties({ x: false }), { x: 1 }, "x: isn't allowed"],
  ];
  for (const [schema, args, message] of ROWS) test(message, async () => assert.equal(await faultOf(schema, args), message));

  test("are at most 20", async () => {
    const schema = properties({ days: { items: { type: "string" } } });
    const message = await faultOf(schema, { days: Array.from({ length: 10_000 }, (_, index) => index) });
    assert.equal(message.split("; ").length, 20);
  });
});

test("references, also recursive ones", async () => {
  const tree = {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/tree" } } },
  };
  const schema = {
    type: "object",
    properties: { root: { $ref: "#/$defs/tree" }, "a/b": { $ref: "#/properties/root" } },
    $defs: { tree },
  };
  assert.equal(await faultOf(schema, { root: { children: [{ children: [] }] } }), undefined);
  assert.equal(
    await faultOf(schema, { root: { children: [{ name: 1 }] } }),
    "root.children[0].name: must be a string, not a number",
  );
  assert.equal(await faultOf({ type: "object", properties: { a: { $ref: "#/properties/a" } } }, { a: 1 }), undefined);
  assert.equal(
    await faultOf({ type: "object", properties: { a: { $ref: "#/$defs/x~1y" } }, $defs: { "x/y": { type: "null" } } }, { a: 1 }),
    "a: must be null, not a number",
  );
});

test("a value whose levels each have several alternatives is checked once at each level", async () => {
  const kind = (word) => properties({ word: { const: word }, of: { $ref: "#/$defs/term" } }, { required: ["word"] });
  const schema = properties({ term: { $ref: "#/$defs/term" } }, { $defs: { term: { oneOf: ["all", "any", "none"].map(kind) } } });
  const nested = (levels, word) => (levels === 0 ? { word } : { word: "none", of: nested(levels - 1, word) });
  assert.equal(await faultOf(schema, { term: nested(100, "any") }), undefined);
  assert.equal(await faultOf(schema, { term: nested(2, "some") }), 'term.of.of.word: must be "all"');
});

test("null is valid if nullable is set", async () => {
  const schema = properties({ port: { type: "string", nullable: true }, days: { type: "integer", nullable: false } });
  assert.equal(await faultOf(schema, { port: null, days: 1 }), undefined);
  assert.equal(
    await faultOf(schema, { port: 1, days: null }),
    "port: must be a string, not a number; days: must be an integer, not null",
  );
});

describe("undefined is absent, as in JSON", () => {
  const KEYWORDS = [
    ..."$ref type enum const nullable not if then else allOf anyOf oneOf $defs definitions".split(" "),
    ..."minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern".split(" "),
    ..."items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems".split(" "),
    ..."properties patternProperties additionalProperties propertyNames required minProperties maxProperties".split(" "),
    ..."dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties dependencies $dynamicRef".split(" "),
  ];
  const VALUES = ["Bodø", 3, true, null, ["a", "a"], { a: 1 }];

  for (const keyword of KEYWORDS) {
    test(keyword, async () => {
      for (const port of VALUES) assert.equal(await faultOf(properties({ port: { [keyword]: undefined } }), { port }), undefined);
    });
  }

  test("schemas by name", async () => {
    const named = { a: undefined };
    const places = {
      properties: named,
      patternProperties: named,
      dependentSchemas: named,
      dependentRequired: named,
      $defs: named,
    };
    const parameters = { type: "object", ...places };
    assert.equal(await faultOf(parameters, { a: 1 }), undefined);
    assert.equal(await faultOf({ ...parameters, additionalProperties: false }, { a: 1 }), "a: isn't a property; properties: ");
  });
});

test("names of prototypes are names like any other", async () => {
  const schema = properties({ city: {} }, { required: ["constructor"], additionalProperties: { type: "string" } });
  assert.equal(
    await faultOf(schema, JSON.parse('{"__proto__": 1}')),
    "needs `constructor`; __proto__: must be a string, not a number",
  );
});

describe("a schema that can't be validated is rejected", () => {
  const ROWS = [
    [5, /options\.parameters must be a JSON Schema or a Standard Schema, not 5/],
    [{ type: "string" }, /options\.parameters\.type must be "object", because the arguments are always an object/],
    [properties({ a: 5 }), /options\.parameters\.properties\.a must be a JSON Schema/],
    [properties({ a: { type: "text" } }), /options\.parameters\.properties\.a\.type must be one of string, number/],
    [properties({ a: { enum: "m" } }), /\.a\.enum must be a list/],
    [properties({ a: { pattern: "(" } }), /\.a\.pattern must be a regular expression/],
    [properties({ a: { minLength: "3" } }), /\.a\.minLength must be a number, 0 or more/],
    [properties({}, { required: "a" }), /options\.parameters\.required must be a list of names/],
    [properties({ a: { anyOf: {} } }), /\.a\.anyOf must be a list of schemas/],
    [
      properties({ a: { $ref: "https://example.test/port" } }),
      /\$ref must point into the same schema, for example "#\/\$defs\/port"/,
    ],
    [properties({ a: { $ref: "#/$defs/none" } }), /\$ref names nothing: "#\/\$defs\/none"/],
    [
      properties({}, { unevaluatedProperties: false }),
      /unevaluatedProperties isn't supported; validate it with a Standard Schema/,
    ],
  ];
  for (const [parameters, message] of ROWS) {
    test(String(message), () =>
      assert.throws(() => tool({ parameters }), { name: "RespoolError", code: "invalid-option", message }),
    );
  }

  test("a schema that contains itself", () => {
    const parameters = properties({});
    parameters.properties.again = parameters;
    assert.throws(() => tool({ parameters }), { code: "invalid-option", message: /again contains itself; use \$ref/ });
  });
});

/** Random schemas and values that have a chance to fit. */
class Random {
  constructor(seed) {
    this.below = numbersFrom(seed);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  some(entries) {
    return Object.fromEntries(entries.filter(() => this.below(3) === 0).map(([name, make]) => [name, make()]));
  }

  value(depth) {
    const scalars = [
      () => this.below(7) - 2,
      () => this.below(50) / 10,
      () => this.pick(["", "a", "ab", "é", "12"]),
      () => true,
      () => null,
    ];
    const lists = [() => Array.from({ length: this.below(4) }, () => this.value(depth - 1)), () => this.object(depth)];
    return this.pick(depth > 0 ? [...scalars, ...lists, ...lists] : scalars)();
  }

  object(depth) {
    return Object.fromEntries(
      ["a", "b", "isPrototypeOf"].filter(() => this.below(2) === 0).map((name) => [name, this.value(depth - 1)]),
    );
  }

  schema(depth) {
    if (this.below(12) === 0) return this.below(2) === 0;
    const inner = () => this.schema(depth - 1);
    const list = () => Array.from({ length: 1 + this.below(3) }, inner);
    const named = () =>
      Object.fromEntries(["a", "b", "isPrototypeOf"].filter(() => this.below(2) === 0).map((name) => [name, inner()]));
    const number = () => this.below(4);
    const types = ["string", "number", "integer", "boolean", "null", "array", "object"];
    const simple = {
      ...(this.below(2) === 0 && {
        type: this.below(3) === 0 ? [...new Set([this.pick(types), this.pick(types)])] : this.pick(types),
      }),
      ...this.some([
        ["minimum", number],
        ["exclusiveMaximum", number],
        ["minLength", number],
        ["maxLength", number],
        ["minItems", number],
        ["uniqueItems", () => true],
        ["maxProperties", number],
        ["required", () => this.pick([["a"], ["a", "b"], ["isPrototypeOf"]])],
        ["pattern", () => this.pick(["^a", "\\d", "^$"])],
      ]),
      ...(this.below(9) === 0 && { enum: [1, "a", null, [], {}] }),
      ...(this.below(12) === 0 && { const: this.value(1) }),
    };
    if (depth === 0) return simple;
    const nested = this.some([
      ["properties", named],
      ["items", inner],
      ["additionalProperties", inner],
      ["patternProperties", () => ({ "^a": inner(), o: inner() })],
    ]);
    const rare = () =>
      this.below(3) > 0
        ? {}
        : this.some([
            ["anyOf", list],
            ["oneOf", list],
            ["allOf", list],
            ["not", inner],
            // With both, ajv accepts an empty list, although it contains no match.
            this.below(2) === 0 ? ["prefixItems", list] : ["contains", inner],
            ["propertyNames", () => ({ maxLength: 1 })],
            ["dependentRequired", () => ({ a: ["b"] })],
            ["dependentSchemas", () => ({ a: inner() })],
          ]);
    const condition = this.below(10) === 0 ? Object.fromEntries(["if", "then", "else"].map((name) => [name, inner()])) : {};
    return { ...simple, ...nested, ...rare(), ...condition };
  }
}

/** ajv's verdict; undefined if the code that it generates fails, as it does for some nested alternatives. */
function outcomeOf(check) {
  try {
    return check();
  } catch {
    return undefined;
  }
}

test(`agrees with ajv (seed ${SEED})`, async () => {
  const random = new Random(SEED);
  const ajv = new Ajv({ strict: false, ownProperties: true, validateSchema: false });
  const compiled = (schema) => {
    const isValid = ajv.compile(schema);
    ajv.removeSchema(schema);
    return isValid;
  };
  const counts = { valid: 0, invalid: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const parameters = { type: "object", properties: { a: random.schema(2) } };
    const isValid = compiled(parameters);
    for (let nth = 0; nth < 5; nth++) {
      const args = { a: random.value(3) };
      const expected = outcomeOf(() => isValid(args));
      if (expected === undefined) continue;
      counts[expected ? "valid" : "invalid"] += 1;
      const fault = await faultOf(parameters, args);
      assert.equal(fault === undefined, expected, `${JSON.stringify({ parameters, args })}: ${fault}`);
    }
  }
  assert.ok(counts.valid > ROUNDS / 2 && counts.invalid > ROUNDS / 2, JSON.stringify(counts));
});
