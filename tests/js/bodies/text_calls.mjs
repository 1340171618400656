// Tool calls as models write them as text, in each format, with any arguments.

/** Texts that are hard to tell from the markup around them. */
const STRINGS = [
  "Bodø",
  "it's",
  'say "hi"',
  "a, b",
  "{x}",
  "[1]",
  "x: y = z",
  "a\nb",
  "back\\slash",
  "👩‍🚀",
  "12",
  "true",
  "None",
  "<b>",
  "a)b(",
  "// no",
  "`",
  "1.5e3",
  "",
  "()",
  "<",
  "#",
  "--",
];

const TYPES = ["string", "number", "integer", "boolean", "array", "object"];

const literal = (m) => m.pick([m.pick(STRINGS), m.below(1000), -1.5, 1e21, 90071992547409.5, true, false]);

function valueOfType(type, m) {
  if (type === "string") return m.pick(STRINGS) + (m.chance(2) ? m.pick(STRINGS) : "");
  if (type === "number") return m.pick([0, -1, 2.5, 1e-7, 1e21, 12345678]);
  if (type === "integer") return m.below(100_000) - 50;
  if (type === "boolean") return m.chance(2);
  if (type === "array") return m.list(3, () => literal(m));
  return Object.fromEntries(m.list(3, (at) => [`k${at}`, m.chance(3) ? m.list(2, () => literal(m)) : literal(m)]));
}

/** A tool, and a call to it. */
export function toolAndCall(m, at) {
  const types = m.list(3, () => m.pick(TYPES));
  const schemas = types.map((type) => (m.chance(5) ? { anyOf: [{ type }, { type: "null" }] } : { type }));
  const properties = Object.fromEntries(schemas.map((schema, n) => [`p${n}`, schema]));
  const name = m.pick(["tide", "get_weather", "f", "search-web"]) + at;
  const values = Object.fromEntries(types.map((type, n) => [`p${n}`, valueOfType(type, m)]));
  // Without quotes that is null, where null may be.
  for (const [key, value] of Object.entries(values)) if (value === "None" && properties[key].anyOf) values[key] = "Nobody";
  return { tool: { name, parameters: { type: "object", properties } }, name, values, id: m.word("call") };
}

const json = (value, m) => JSON.stringify(value, null, m.pick([undefined, undefined, 1]));
const raw = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function python(value) {
  if (typeof value === "string") return `"${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([name, member]) => `${python(name)}: ${python(member)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
}

const pythonCall = ({ name, values }) =>
  `${name}(${Object.entries(values)
    .map(([key, value]) => `${key}=${python(value)}`)
    .join(", ")})`;

const gemma = (value) => {
  if (typeof value === "string") return `<|"|>${value}<|"|>`;
  if (Array.isArray(value)) return `[${value.map(gemma).join(",")}]`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([name, member]) => `${name}:${gemma(member)}`)
      .join(",")}}`;
  return JSON.stringify(value);
};

const object = (name, values) => (call, m) => json({ [name]: call.name, [values]: call.values }, m);
const each =
  (write, between = "\n") =>
  (calls, m) =>
    calls.map((call) => write(call, m)).join(between);
const list = (open, close, item) => (calls, m) => `${open}[${calls.map((call) => item(call, m)).join(", ")}]${close}`;
const members = (values, write) =>
  Object.entries(values)
    .map(([name, value]) => write(name, value))
    .join("");

/** How each format writes calls. */
export const WRITERS = {
  hermes: each((call, m) => `<tool_call>\n${object("name", "arguments")(call, m)}\n</tool_call>`),
  "qwen-xml": each(
    ({ name, values }) =>
      `<tool_call>\n<function=${name}>\n${members(values, (key, value) => `<parameter=${key}>\n${raw(value)}\n</parameter>\n`)}</function>\n</tool_call>`,
  ),
  glm: each(
    ({ name, values }) =>
      `<tool_call>${name}\n${members(values, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${raw(value)}</arg_value>\n`)}</tool_call>`,
  ),
  "llama3-json": (calls, m) => `<|python_tag|>${calls.map((call) => object("name", "parameters")(call, m)).join("; ")}`,
  pythonic: (calls) => `<|tool_call_start|>[${calls.map(pythonCall).join(", ")}]<|tool_call_end|>`,
  olmo3: (calls) => `<function_calls>\n${calls.map(pythonCall).join("\n")}\n</function_calls>`,
  mistral: (calls, m) =>
    m.chance(2)
      ? list("[TOOL_CALLS]", "", object("name", "arguments"))(calls, m)
      : each(({ name, values }) => `[TOOL_CALLS]${name}[ARGS]${json(values, m)}`, "")(calls),
  "deepseek-v3": (calls, m) =>
    `<｜tool▁calls▁begin｜>${calls.map(({ name, values }) => `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${json(values, m)}\n\`\`\`<｜tool▁call▁end｜>`).join("\n")}<｜tool▁calls▁end｜>`,
  "deepseek-v3.1": (calls, m) =>
    `<｜tool▁calls▁begin｜>${calls.map(({ name, values }) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json(values, m)}<｜tool▁call▁end｜>`).join("")}<｜tool▁calls▁end｜>`,
  "deepseek-dsml": (calls) =>
    `<｜DSML｜tool_calls>\n${calls.map(({ name, values }) => `<｜DSML｜invoke name="${name}">\n${members(values, (key, value) => `<｜DSML｜parameter name="${key}" string="${typeof value === "string"}">${raw(value)}</｜DSML｜parameter>\n`)}</｜DSML｜invoke>\n`).join("")}</｜DSML｜tool_calls>`,
  "kimi-k2": (calls, m) =>
    `<|tool_calls_section_begin|>${calls.map(({ name, values }, at) => `<|tool_call_begin|>functions.${name}:${at}<|tool_call_argument_begin|>${json(values, m)}<|tool_call_end|>`).join("")}<|tool_calls_section_end|>`,
  harmony: each(
    ({ name, values }, m) => `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${json(values, m)}<|call|>`,
    "<|start|>assistant",
  ),
  "minimax-m2": (calls) =>
    `<minimax:tool_call>\n${calls.map(({ name, values }) => `<invoke name="${name}">\n${members(values, (key, value) => `<parameter name="${key}">${raw(value)}</parameter>\n`)}</invoke>\n`).join("")}</minimax:tool_call>`,
  "minimax-m1": (calls) =>
    `<tool_calls>\n${calls.map((call) => JSON.stringify({ name: call.name, arguments: call.values })).join("\n")}\n</tool_calls>`,
  gemma4: each(({ name, values }) => `<|tool_call>call:${name}${gemma(values)}<tool_call|>`, ""),
  command: list("<|START_ACTION|>", "<|END_ACTION|>", object("tool_name", "parameters")),
  nemotron: list("<TOOLCALL>", "</TOOLCALL>", object("name", "arguments")),
  granite: list("<|tool_call|>", "", object("name", "arguments")),
  "phi4-mini": list("functools", "", object("name", "arguments")),
  internlm2: each((call, m) => `<|action_start|><|plugin|>${object("name", "parameters")(call, m)}<|action_end|>`),
  functionary: each(({ name, values }, m) => `<function=${name}>${json(values, m)}</function>`),
  apertus: list("<|tools_prefix|>", "<|tools_suffix|>", ({ name, values }, m) => json({ [name]: values }, m)),
  minicpm: each(
    ({ name, values }) =>
      `<function name="${name}">${members(values, (key, value) => `<param name="${key}">${raw(value)}</param>`)}</function>`,
  ),
  xlam: list("", "", object("name", "arguments")),
  directive: each((call) => JSON.stringify({ tool: call.name, arguments: call.values })),
  "json-fence": each((call, m) => `\`\`\`json\n${object("name", "arguments")(call, m)}\n\`\`\``),
  react: ([{ name, values }], m) => `Action: ${name}\nAction Input: ${json(values, m)}`,
};

/** Formats that are only read where they are named. */
export const NAMED = ["xlam", "directive", "json-fence", "react"];
