// Random messages in the documented shape, and the events of their streams.
// https://platform.claude.com/docs/en/api/messages
// https://platform.claude.com/docs/en/build-with-claude/streaming

import { piecesOf } from "./pieces.mjs";

const REASONS = ["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"];

const SERVER_TOOLS = [
  "web_search",
  "web_fetch",
  "code_execution",
  "bash_code_execution",
  "text_editor_code_execution",
  "tool_search_tool_regex",
];

const citationOf = (m) =>
  m.pick([
    () => ({
      type: "char_location",
      cited_text: m.text(),
      document_index: m.number(),
      document_title: m.text(),
      start_char_index: m.number(),
      end_char_index: m.number(),
      file_id: null,
    }),
    () => ({
      type: "page_location",
      cited_text: m.text(),
      document_index: m.number(),
      document_title: null,
      start_page_number: m.number(),
      end_page_number: m.number(),
    }),
    () => ({
      type: "content_block_location",
      cited_text: m.text(),
      document_index: m.number(),
      start_block_index: m.number(),
      end_block_index: m.number(),
    }),
    () => ({
      type: "web_search_result_location",
      cited_text: m.text(),
      encrypted_index: m.text(),
      title: m.text(),
      url: m.text(),
    }),
    () => ({
      type: "search_result_location",
      cited_text: m.text(),
      search_result_index: m.number(),
      source: m.text(),
      title: null,
      start_block_index: m.number(),
      end_block_index: m.number(),
    }),
  ])();

const resultOf = (m, id, tool) =>
  m.pick([
    () => ({
      type: `${tool}_tool_result`,
      tool_use_id: id,
      content: m.list(2, () => ({
        type: `${tool}_result`,
        title: m.text(),
        url: m.text(),
        encrypted_content: m.text(),
        page_age: m.chance(2) ? null : m.text(),
      })),
    }),
    () => ({
      type: `${tool}_tool_result`,
      tool_use_id: id,
      content: { type: `${tool}_tool_result_error`, error_code: m.text() },
    }),
    () => ({
      type: `${tool}_tool_result`,
      tool_use_id: id,
      content: {
        type: `${tool}_result`,
        stdout: m.text(),
        stderr: "",
        return_code: m.number(),
        content: [{ type: `${tool}_output`, file_id: m.text() }],
      },
    }),
  ])();

function blocksOf(m) {
  const blocks = m.list(5, () =>
    m.pick([
      () => ({ type: "text", text: m.text() + m.text() }),
      () => ({ type: "text", text: m.text(), citations: m.chance(3) ? null : m.list(3, () => citationOf(m)) }),
      () => ({ type: "thinking", thinking: m.text() + m.text(), signature: m.text() }),
      () => ({ type: "redacted_thinking", data: m.text() }),
      () => ({
        type: "tool_use",
        id: m.word("toolu_"),
        name: m.word("f"),
        input: m.object(2),
        ...m.members({ "caller?": { type: "direct" } }),
      }),
      () => {
        const [id, tool] = [m.word("srvtoolu_"), m.pick(SERVER_TOOLS)];
        return [{ type: "server_tool_use", id, name: tool, input: m.object(2) }, ...(m.chance(4) ? [] : [resultOf(m, id, tool)])];
      },
      () => {
        const id = m.word("mcptoolu_");
        return [
          { type: "mcp_tool_use", id, name: m.word("f"), server_name: m.text(), input: m.object(2) },
          {
            type: "mcp_tool_result",
            tool_use_id: id,
            is_error: m.chance(2),
            content: m.list(2, () => ({ type: "text", text: m.text() })),
          },
        ];
      },
      () => ({ type: "container_upload", file_id: m.text() }),
      () => ({ type: "sea_chart", chart: m.value() }),
    ])(),
  );
  return blocks.flat();
}

export function anthropicBody(m) {
  return {
    id: m.word("msg_"),
    type: "message",
    role: "assistant",
    model: m.word("claude-"),
    content: blocksOf(m),
    stop_reason: m.pick(REASONS),
    stop_sequence: m.chance(4) ? m.text() : null,
    usage: {
      input_tokens: m.number(),
      output_tokens: m.number(),
      ...m.members({
        "cache_creation_input_tokens?": () => m.number(),
        "cache_read_input_tokens?": () => m.number(),
        "cache_creation?": () => ({ ephemeral_5m_input_tokens: m.number(), ephemeral_1h_input_tokens: m.number() }),
        "server_tool_use?": () => (m.chance(2) ? null : { web_search_requests: m.number() }),
        "service_tier?": () => m.text(),
      }),
    },
    ...m.members({
      "container?": () => (m.chance(2) ? null : { id: m.text(), expires_at: m.text() }),
      "context_management?": () => ({ applied_edits: m.list(2, () => ({ type: m.text(), cleared_input_tokens: m.number() })) }),
      ...(m.chance(4) && { weather: () => m.value() }),
    }),
  };
}

/** Returns the events of the same answer. */
export function anthropicStream(body, m) {
  const { content, stop_reason, stop_sequence, usage, container, context_management, ...top } = body;
  const start = { ...top, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  const delta = { stop_reason, stop_sequence, ...(container !== undefined && { container }) };
  const end = { type: "message_delta", delta, usage: { output_tokens: usage.output_tokens } };
  if (context_management) end.context_management = context_management;
  return [
    { type: "message_start", message: start },
    ...content.flatMap((block, index) => {
      const isCut =
        ["max_tokens", "model_context_window_exceeded", "refusal"].includes(stop_reason) && index === content.length - 1;
      return [...(m.chance(6) ? [{ type: "ping" }] : []), ...blockEvents(block, index, isCut, m)];
    }),
    end,
    { type: "message_stop" },
  ];
}

function blockEvents(block, index, isCut, m) {
  const { start, deltas } = streamed(block, isCut, m);
  const events = deltas.map((delta) => ({ type: "content_block_delta", index, delta }));
  return [{ type: "content_block_start", index, content_block: start }, ...events, { type: "content_block_stop", index }];
}

function streamed(block, isCut, m) {
  const { type } = block;
  if (type === "text") {
    const { citations } = block;
    const texts = piecesOf(block.text, m).map((text) => ({ type: "text_delta", text }));
    const cited = (citations ?? []).map((citation) => ({ type: "citations_delta", citation }));
    return { start: { ...block, text: "", ...(citations && { citations: [] }) }, deltas: [...cited, ...texts] };
  }
  if (type === "thinking") {
    const thoughts = piecesOf(block.thinking, m).map((thinking) => ({ type: "thinking_delta", thinking }));
    return {
      start: { ...block, thinking: "", signature: "" },
      deltas: [...thoughts, { type: "signature_delta", signature: block.signature }],
    };
  }
  if (type.endsWith("tool_use")) {
    const json = JSON.stringify(block.input);
    // A body doesn't show whether the model wrote an empty input or was stopped before it wrote one.
    const pieces =
      isCut && json === "{}" ? [] : piecesOf(json, m).map((partial_json) => ({ type: "input_json_delta", partial_json }));
    return { start: { ...block, input: {} }, deltas: [{ type: "input_json_delta", partial_json: "" }, ...pieces] };
  }
  return { start: block, deltas: [] };
}
