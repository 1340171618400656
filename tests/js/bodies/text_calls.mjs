// Tool calls that models write as text, in each format, with random arguments.

/** Texts that are hard to distinguish from the markup around them. */
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

/** Returns a tool, and a call to it. */
export function toolAndCall(m, at) {
  const types = m.list(3, () => m.pick(TYPES));
  const schemas = types.map((type) => (m.chance(5) ? { anyOf: [{ type }, { type: "null" }] } : { type }));
  const properties = Object.fromEntries(schemas.map((schema, n) => [`p${n}`, schema]));
  const name = m.pick(["tide", "get_weather", "f", "search-web"]) + at;
  const values = Object.fromEntries(types.map((type, n) => [`p${n}`, valueOfType(type, m)]));
  // If null is allowed, an unquoted None is null.
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

/** Writes arguments between tags for keys and values. `tag` gets `""` for the start of the call and `"/"` for its end. */
const keyed =
  (tag) =>
  ({ name, values }) =>
    `${tag("")}${name}\n${members(values, (key, value) => `${tag("arg_key")}${key}${tag("/arg_key")}\n${tag("arg_value")}${raw(value)}${tag("/arg_value")}\n`)}${tag("/")}`;

/** Writes arguments between tags with the name as an attribute. The tags have a prefix. */
const invoked =
  (prefix, attributes = () => "") =>
  ({ name, values }) =>
    `<${prefix}invoke name="${name}">\n${members(values, (key, value) => `<${prefix}parameter name="${key}"${attributes(value)}>${raw(value)}</${prefix}parameter>\n`)}</${prefix}invoke>\n`;
const isString = (value) => ` string="${typeof value === "string"}"`;

/** For each format, a function that writes calls. */
export const WRITERS = {
  hermes: each((call, m) => `<tool_call>\n${object("name", "arguments")(call, m)}\n</tool_call>`),
  "qwen-xml": each(
    ({ name, values }) =>
      `<tool_call>\n<function=${name}>\n${members(values, (key, value) => `<parameter=${key}>\n${raw(value)}\n</parameter>\n`)}</function>\n</tool_call>`,
  ),
  glm: (calls, m) => {
    const suffix = m.pick(["", "", ":opensource", ":6124c78e"]);
    const tag = suffix === "" ? m.pick(["tool_call", "iquest_tool_call"]) : "tool_call";
    const write = keyed((of) => `<${of === "" ? tag : of === "/" ? `/${tag}` : of}${suffix}>`);
    return suffix === "" ? each(write)(calls, m) : `<tool_calls${suffix}>\n${each(write)(calls, m)}\n</tool_calls${suffix}>`;
  },
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
  "deepseek-dsml": (calls, m) => {
    const [space, block] = m.pick([
      ["", "tool_calls"],
      ["", "function_calls"],
      [" ", "calls"],
    ]);
    const prefix = `｜DSML｜${space}`;
    return `<${prefix}${block}>\n${calls.map(invoked(prefix, isString)).join("")}</${prefix}${block}>`;
  },
  "kimi-k2": (calls, m) =>
    `<|tool_calls_section_begin|>${calls.map(({ name, values }, at) => `<|tool_call_begin|>functions.${name}:${at}<|tool_call_argument_begin|>${json(values, m)}<|tool_call_end|>`).join("")}<|tool_calls_section_end|>`,
  "kimi-k3": (calls) =>
    `<|open|>tools<|sep|>${calls.map(({ name, values }) => `<|open|>call tool="${name}"<|sep|>${members(values, (key, value) => `<|open|>argument key="${key}" type="${typeof value === "string" ? "string" : "json"}"<|sep|>${raw(value)}<|close|>argument<|sep|>`)}<|close|>call<|sep|>`).join("")}<|close|>tools<|sep|>`,
  harmony: each(
    ({ name, values }, m) => `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${json(values, m)}<|call|>`,
    "<|start|>assistant",
  ),
  "minimax-m2": (calls, m) => {
    const block = m.pick(["minimax:tool_call", "dots_function_call"]);
    return `<${block}>\n${calls.map(invoked("")).join("")}</${block}>`;
  },
  "minimax-m1": (calls, m) =>
    m.chance(2)
      ? `<tool_calls>\n${calls.map((call) => JSON.stringify({ name: call.name, arguments: call.values })).join("\n")}\n</tool_calls>`
      : `<|tool_calls|>[${calls.map((call) => python({ name: call.name, arguments: call.values })).join(", ")}]`,
  gemma4: each(({ name, values }) => `<|tool_call>call:${name}${gemma(values)}<tool_call|>`, ""),
  command: list("<|START_ACTION|>", "<|END_ACTION|>", object("tool_name", "parameters")),
  nemotron: list("<TOOLCALL>", "</TOOLCALL>", object("name", "arguments")),
  granite: list("<|tool_call|>", "", object("name", "arguments")),
  "phi4-mini": list("functools", "", object("name", "arguments")),
  internlm2: each((call, m) => `<|action_start|><|plugin|>${object("name", "parameters")(call, m)}<|action_end|>`),
  "muse-glimmer": (calls) => `<atem:function_calls>\n${calls.map(invoked("atem:")).join("")}</atem:function_calls>`,
  inkling: each((call, m) => `<|content_invoke_tool_json|>${object("name", "args")(call, m)}<|end_message|>`, ""),
  "step-3": (calls) =>
    `<｜tool_calls_begin｜>${calls.map((call) => `<｜tool_call_begin｜>function<｜tool_sep｜>${invoked("steptml:")(call)}<｜tool_call_end｜>`).join("\n")}<｜tool_calls_end｜>`,
  "solar-open": each(
    ({ name, values }) =>
      `<|tool_call:start|>${name}\n${members(values, (key, value) => `<|tool_arg:start|>${key}<|tool_arg:value|>${raw(value)}<|tool_arg:end|>\n`)}<|tool_call:end|>`,
  ),
  "k2-horizon": (calls) =>
    `<ifm|tool_calls>\n${calls.map(keyed((of) => `<${of.replace(/^\/?/, "$&ifm|")}${of.length < 2 ? "tool_call" : ""}>`)).join("\n")}\n</ifm|tool_calls>`,
  "plamo-3": (calls, m) => {
    const tag = (of) => `<|plamo:${of}:plamo|>`;
    const write = ({ name, values }) =>
      `${tag("begin_tool_request")}${tag("begin_tool_name")}${name}${tag("end_tool_name")}${tag("begin_tool_arguments")}<|plamo:constrain|>json<|plamo:msg|>${json(values, m)}${tag("end_tool_arguments")}${tag("end_tool_request")}`;
    return `${tag("begin_tool_requests")}${calls.map(write).join("")}${tag("end_tool_requests")}`;
  },
  "hyperclova-x": list("<|im_start|>assistant -> tool/function_call\n", "<|im_end|>", object("name", "arguments")),
  gigachat: (calls, m) =>
    m.chance(2)
      ? each((call) => `<|function_call|>${object("name", "arguments")(call, m)}`)(calls, m)
      : `<｜GCML｜tool_calls>\n${calls.map(invoked("｜GCML｜", isString)).join("")}</｜GCML｜tool_calls>`,
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

/** Formats that are read only if an option names them. */
export const NAMED = ["xlam", "directive", "json-fence", "react"];
