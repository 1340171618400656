// Random responses in the documented shape, and the events of their streams.
// https://platform.openai.com/docs/api-reference/responses/object
// https://platform.openai.com/docs/api-reference/responses-streaming

import { piecesOf } from "./pieces.mjs";

const tokenOf = (m) => ({
  token: m.text(),
  logprob: -m.number(),
  bytes: m.list(2, () => m.number()),
  top_logprobs: m.list(2, () => ({ token: m.text(), logprob: -m.number(), bytes: [] })),
});

const annotationOf = (m) =>
  m.pick([
    () => ({ type: "url_citation", start_index: m.number(), end_index: m.number(), url: m.text(), title: m.text() }),
    () => ({ type: "file_citation", file_id: m.text(), filename: m.text(), index: m.number() }),
    () => ({
      type: "container_file_citation",
      container_id: m.text(),
      file_id: m.text(),
      filename: m.text(),
      start_index: m.number(),
      end_index: m.number(),
    }),
    () => ({ type: "file_path", file_id: m.text(), index: m.number() }),
  ])();

const partOf = (m) =>
  m.chance(4)
    ? { type: "refusal", refusal: m.text() + m.text() }
    : {
        type: "output_text",
        text: m.text() + m.text(),
        annotations: m.list(2, () => annotationOf(m)),
        logprobs: m.list(2, () => tokenOf(m)),
      };

const statusOf = (m) => m.pick(["completed", "completed", "incomplete"]);

const ITEMS = {
  message: (m) => ({
    id: m.word("msg_"),
    status: statusOf(m),
    role: "assistant",
    content: m.list(3, () => partOf(m)),
    ...m.members({ "phase?": () => m.text() }),
  }),
  reasoning: (m) => ({
    id: m.word("rs_"),
    summary: m.list(3, () => ({ type: "summary_text", text: m.text() + m.text() })),
    ...m.members({
      "content?": () => m.list(3, () => ({ type: "reasoning_text", text: m.text() })),
      "encrypted_content?": () => (m.chance(3) ? null : m.text()),
      "status?": "completed",
    }),
  }),
  function_call: (m) => ({
    id: m.word("fc_"),
    call_id: m.word("call_"),
    name: m.word("f"),
    arguments: JSON.stringify(m.object(2)),
    status: "completed",
    ...m.members({ "namespace?": () => m.text() }),
  }),
  custom_tool_call: (m) => ({
    id: m.word("ctc_"),
    call_id: m.word("call_"),
    name: m.word("f"),
    input: m.text() + m.text(),
    status: "completed",
  }),
  web_search_call: (m) => ({
    id: m.word("ws_"),
    status: "completed",
    action: m.pick([
      () => ({
        type: "search",
        query: m.text(),
        queries: m.list(2, () => m.text()),
        sources: m.list(2, () => ({ type: "url", url: m.text() })),
      }),
      () => ({ type: "open_page", url: m.text() }),
      () => ({ type: "find_in_page", pattern: m.text(), url: m.text() }),
    ])(),
  }),
  file_search_call: (m) => ({
    id: m.word("fs_"),
    status: "completed",
    queries: m.list(2, () => m.text()),
    results: m.chance(3)
      ? null
      : m.list(2, () => ({ file_id: m.text(), filename: m.text(), score: m.number(), text: m.text(), attributes: m.object(0) })),
  }),
  computer_call: (m) => ({
    id: m.word("cu_"),
    call_id: m.word("call_"),
    status: "completed",
    pending_safety_checks: m.list(1, () => ({ id: m.text(), code: m.text(), message: m.text() })),
    action: m.pick([
      () => ({ type: "click", button: "left", x: m.number(), y: m.number() }),
      () => ({ type: "type", text: m.text() }),
      () => ({ type: "keypress", keys: m.list(2, () => m.text()) }),
    ])(),
  }),
  image_generation_call: (m) => ({
    id: m.word("ig_"),
    status: "completed",
    result: m.word("iVBOR"),
    ...m.members({ "revised_prompt?": () => m.text(), "size?": () => m.text() }),
  }),
  code_interpreter_call: (m) => ({
    id: m.word("ci_"),
    status: "completed",
    container_id: m.text(),
    code: m.text() + m.text(),
    outputs: m.chance(3)
      ? null
      : m.list(2, () => m.pick([() => ({ type: "logs", logs: m.text() }), () => ({ type: "image", url: m.text() })])()),
  }),
  local_shell_call: (m) => ({
    id: m.word("lsh_"),
    call_id: m.word("call_"),
    status: "completed",
    action: {
      type: "exec",
      command: m.list(2, () => m.text()),
      env: m.object(0),
      timeout_ms: m.number(),
      working_directory: m.text(),
    },
  }),
  shell_call: (m) => ({
    id: m.word("sh_"),
    call_id: m.word("call_"),
    status: "completed",
    action: { commands: [m.text(), ...m.list(2, () => m.text())], timeout_ms: m.number(), max_output_length: null },
    environment: m.chance(2) ? null : { type: m.pick(["local", "container_reference"]), container_id: m.text() },
  }),
  shell_call_output: (m) => ({
    id: m.word("sho_"),
    call_id: m.word("call_"),
    status: "completed",
    max_output_length: m.number(),
    output: m.list(2, () => ({ stdout: m.text(), stderr: "", outcome: { type: "exit", exit_code: m.number() } })),
  }),
  apply_patch_call: (m) => ({
    id: m.word("apc_"),
    call_id: m.word("call_"),
    status: "completed",
    operation: m.pick([
      () => ({ type: "update_file", path: m.text(), diff: m.text() + m.text() }),
      () => ({ type: "create_file", path: m.text(), diff: m.text() }),
      () => ({ type: "delete_file", path: m.text() }),
    ])(),
  }),
  mcp_call: (m) => ({
    id: m.word("mcp_"),
    status: "completed",
    approval_request_id: m.chance(2) ? null : m.text(),
    arguments: JSON.stringify(m.object(1)),
    error: m.chance(2) ? null : m.text(),
    name: m.word("f"),
    output: m.chance(3) ? null : m.text(),
    server_label: m.text(),
  }),
  mcp_list_tools: (m) => ({
    id: m.word("mcpl_"),
    server_label: m.text(),
    tools: m.list(2, () => ({ name: m.text(), description: m.text(), input_schema: m.object(1), annotations: null })),
  }),
  mcp_approval_request: (m) => ({
    id: m.word("mcpr_"),
    arguments: JSON.stringify(m.object(1)),
    name: m.word("f"),
    server_label: m.text(),
  }),
  tool_search_call: (m) => ({
    id: m.word("ts_"),
    call_id: m.chance(2) ? m.word("call_") : null,
    execution: m.pick(["server", "client"]),
    arguments: m.object(1),
    status: "completed",
  }),
  tool_search_output: (m) => ({
    id: m.word("tso_"),
    call_id: m.chance(2) ? m.word("call_") : null,
    execution: "server",
    tools: m.list(2, () => m.object(1)),
    status: "completed",
  }),
  compaction: (m) => ({ id: m.word("cmp_"), encrypted_content: m.text() }),
  sea_chart: (m) => ({ id: m.word("sc_"), chart: m.value() }),
};

const COMMON = ["message", "reasoning", "function_call"];

function itemOf(m) {
  const type = m.chance(2) ? m.pick(COMMON) : m.pick(Object.keys(ITEMS));
  const { id, ...members } = ITEMS[type](m);
  return { id, type, ...members };
}

export function responsesBody(m) {
  const isCut = m.chance(5);
  return {
    id: m.word("resp_"),
    object: "response",
    created_at: m.number(),
    status: isCut ? "incomplete" : "completed",
    error: null,
    incomplete_details: isCut ? { reason: m.pick(["max_output_tokens", "content_filter"]) } : null,
    instructions: m.pick([null, m.text()]),
    max_output_tokens: null,
    model: m.word("model-"),
    output: m.list(5, () => itemOf(m)),
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: m.list(1, () => ({ type: "function", name: m.text(), parameters: m.object(1) })),
    ...m.members({
      "completed_at?": () => m.number(),
      "previous_response_id?": () => m.text(),
      "service_tier?": () => m.text(),
      "metadata?": () => m.object(0),
      "conversation?": () => ({ id: m.text() }),
      "text?": () => ({ format: { type: "text" }, verbosity: m.text() }),
      ...(m.chance(4) && { weather: () => m.value() }),
    }),
    usage: {
      input_tokens: m.number(),
      output_tokens: m.number(),
      total_tokens: m.number(),
      ...m.members({
        "input_tokens_details?": () => ({ cached_tokens: m.number() }),
        "output_tokens_details?": () => ({ reasoning_tokens: m.number() }),
      }),
    },
  };
}

/** Returns the events of the same answer. */
export function responsesStream(body, m) {
  const { completed_at, ...begun } = body;
  const start = { ...begun, status: "in_progress", incomplete_details: null, output: [], usage: null };
  const end = m.chance(4) ? { ...body, output: m.pick([[], null]) } : body;
  const events = [
    { type: "response.created", response: start },
    { type: "response.in_progress", response: start },
    ...body.output.flatMap((item, output_index) => itemEvents(item, output_index, m)),
    { type: `response.${body.status}`, response: end },
  ];
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

function itemEvents(item, output_index, m) {
  const { start, inner } = (STREAMED[item.type] ?? wholly)(item, m);
  const about = { item_id: item.id, output_index };
  return [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, ...("status" in item && { status: "in_progress" }), ...start },
    },
    ...inner.map(({ type, ...rest }) => ({ type: `response.${type}`, ...about, ...rest })),
    { type: "response.output_item.done", output_index, item },
  ];
}

const wholly = () => ({ start: {}, inner: [] });

const deltasOf = (type, text, rest, m) =>
  piecesOf(text, m).map((delta) => ({ type: `${type}.delta`, ...rest, delta, ...(m.chance(2) && { obfuscation: "abc" }) }));

const STREAMED = {
  message({ content }, m) {
    const inner = content.flatMap((part, content_index) => {
      const at = { content_index };
      const isText = part.type === "output_text";
      const [kind, name] = isText ? ["output_text", "text"] : ["refusal", "refusal"];
      const deltas = deltasOf(kind, part[name], at, m);
      if (isText) for (const [index, delta] of deltas.entries()) delta.logprobs = index === 0 ? part.logprobs : [];
      const annotations = (part.annotations ?? []).map((annotation, annotation_index) => ({
        type: "output_text.annotation.added",
        ...at,
        annotation_index,
        annotation,
      }));
      return [
        { type: "content_part.added", ...at, part: { ...part, [name]: "", ...(isText && { annotations: [], logprobs: [] }) } },
        ...deltas,
        ...annotations,
        { type: `${kind}.done`, ...at, [name]: part[name], ...(isText && { logprobs: part.logprobs }) },
        { type: "content_part.done", ...at, part },
      ];
    });
    return { start: { content: [] }, inner };
  },
  reasoning({ summary, content }, m) {
    const parts = (list, member, type, kind) =>
      list.flatMap((part, index) => {
        const at = { [member]: index };
        return [
          { type: `${type}.added`, ...at, part: { ...part, text: "" } },
          ...deltasOf(kind, part.text, at, m),
          { type: `${kind}.done`, ...at, text: part.text },
          { type: `${type}.done`, ...at, part },
        ];
      });
    const inner = [
      ...parts(summary, "summary_index", "reasoning_summary_part", "reasoning_summary_text"),
      ...parts(content ?? [], "content_index", "content_part", "reasoning_text"),
    ];
    return { start: { summary: [], ...(content && { content: [] }) }, inner };
  },
  function_call: (item, m) => grown(item, "arguments", "function_call_arguments", m),
  custom_tool_call: (item, m) => grown(item, "input", "custom_tool_call_input", m),
  code_interpreter_call(item, m) {
    const { start, inner } = grown(item, "code", "code_interpreter_call_code", m);
    return {
      start: { ...start, outputs: null },
      inner: [
        ...steps("code_interpreter_call", ["in_progress"]),
        ...inner,
        ...steps("code_interpreter_call", ["interpreting", "completed"]),
      ],
    };
  },
  mcp_call(item, m) {
    const { start, inner } = grown(item, "arguments", "mcp_call_arguments", m);
    return {
      start: { ...start, output: null, error: null },
      inner: [...steps("mcp_call", ["in_progress"]), ...inner, ...steps("mcp_call", ["completed"])],
    };
  },
  web_search_call: () => ({
    start: { action: undefined },
    inner: steps("web_search_call", ["in_progress", "searching", "completed"]),
  }),
  file_search_call: () => ({
    start: { results: null, queries: [] },
    inner: steps("file_search_call", ["in_progress", "searching", "completed"]),
  }),
  image_generation_call: (_item, m) => ({
    start: { result: null },
    inner: [
      ...steps("image_generation_call", ["in_progress", "generating"]),
      ...m.list(2, (partial_image_index) => ({
        type: "image_generation_call.partial_image",
        partial_image_index,
        partial_image_b64: m.word("cGFy"),
      })),
    ],
  }),
  mcp_list_tools: () => ({ start: { tools: [] }, inner: steps("mcp_list_tools", ["in_progress", "completed"]) }),
  apply_patch_call({ operation }, m) {
    if (!operation.diff) return wholly();
    return {
      start: { operation: { ...operation, diff: "" } },
      inner: [
        ...deltasOf("apply_patch_call_operation_diff", operation.diff, {}, m),
        { type: "apply_patch_call_operation_diff.done", diff: operation.diff },
      ],
    };
  },
  shell_call({ action }, m) {
    const inner = action.commands.flatMap((command, command_index) => [
      { type: "shell_call_command.added", command_index, command: "" },
      ...deltasOf("shell_call_command", command, { command_index }, m),
      { type: "shell_call_command.done", command_index, command },
    ]);
    return { start: { action: { ...action, commands: [] } }, inner };
  },
};

const steps = (kind, names) => names.map((name) => ({ type: `${kind}.${name}` }));

function grown(item, member, kind, m) {
  return {
    start: { [member]: "" },
    inner: [...deltasOf(kind, item[member], {}, m), { type: `${kind}.done`, [member]: item[member] }],
  };
}
