// Random chat completions in the documented shape, and the chunks of their streams.
// https://platform.openai.com/docs/api-reference/chat/object
// https://platform.openai.com/docs/api-reference/chat/streaming

import { piecesOf } from "./pieces.mjs";

const REASONS = ["stop", "length", "tool_calls", "content_filter"];

const token = (m) => ({
  token: m.text(),
  logprob: -m.number(),
  bytes: m.list(2, () => m.number()),
  top_logprobs: m.list(2, () => ({ token: m.text(), logprob: -m.number(), bytes: null })),
});

const usageOf = (m) => ({
  prompt_tokens: m.number(),
  completion_tokens: m.number(),
  total_tokens: m.number(),
  ...m.members({
    "prompt_tokens_details?": () => m.members({ "cached_tokens?": () => m.number(), "audio_tokens?": () => m.number() }),
    "completion_tokens_details?": () =>
      m.members({
        "reasoning_tokens?": () => m.number(),
        "audio_tokens?": () => m.number(),
        "accepted_prediction_tokens?": () => m.number(),
        "rejected_prediction_tokens?": () => m.number(),
      }),
  }),
});

const argumentsOf = (m) => JSON.stringify(m.object(2));

const callOf = (m) =>
  m.chance(4)
    ? { id: m.word("call_"), type: "custom", custom: { name: m.word("f"), input: m.text() } }
    : { id: m.word("call_"), type: "function", function: { name: m.word("f"), arguments: argumentsOf(m) } };

const annotationOf = (m) => ({
  type: "url_citation",
  url_citation: { start_index: m.number(), end_index: m.number(), url: m.text(), title: m.text() },
});

const detailOf = (m, at) =>
  m.pick([
    () => ({ type: "reasoning.text", text: m.text(), signature: m.text(), format: m.text(), index: at }),
    () => ({ type: "reasoning.summary", summary: m.text(), id: m.text(), format: m.text(), index: at }),
    () => ({ type: "reasoning.encrypted", data: m.text(), id: m.text(), format: m.text(), index: at }),
  ])();

const messageOf = (m) => ({
  role: "assistant",
  content: m.chance(4) ? null : m.text() + m.text(),
  ...m.members({
    refusal: () => (m.chance(4) ? m.text() : null),
    ...(m.chance(5)
      ? { "function_call?": () => ({ name: m.word("f"), arguments: argumentsOf(m) }) }
      : { "tool_calls?": () => [callOf(m), ...m.list(2, () => callOf(m))] }),
    "annotations?": () => m.list(2, () => annotationOf(m)),
    ...(m.chance(4) && { "audio?": () => ({ id: m.text(), data: m.word("ZGF"), expires_at: m.number(), transcript: m.text() }) }),
    ...m.pick([
      {},
      {},
      { reasoning_content: () => m.text() + m.text() },
      { reasoning: () => m.text() },
      { reasoning_details: () => [detailOf(m, 0), ...m.list(2, (at) => detailOf(m, at + 1))] },
    ]),
    ...(m.chance(6) && { images: () => m.list(2, () => ({ type: "image_url", image_url: { url: m.text() } })) }),
    ...(m.chance(6) && { mood: () => m.text() }),
  }),
});

const choiceOf = (m, index) => {
  const message = messageOf(m);
  return {
    index,
    message,
    ...m.members({
      "logprobs?": () =>
        m.chance(2) ? null : { content: m.list(3, () => token(m)), refusal: m.chance(2) ? null : m.list(2, () => token(m)) },
    }),
    finish_reason: m.pick(REASONS),
    ...(m.chance(6) && { tone: m.text() }),
  };
};

export function chatBody(m) {
  return {
    id: m.word("chatcmpl-"),
    object: "chat.completion",
    created: m.number(),
    model: m.word("model-"),
    choices: [choiceOf(m, 0), ...(m.chance(4) ? m.list(2, (at) => choiceOf(m, at + 1)) : [])],
    ...m.members({
      "usage?": () => usageOf(m),
      "system_fingerprint?": () => m.word("fp_"),
      "service_tier?": () => m.word("tier"),
      ...(m.chance(4) && { weather: () => m.value() }),
    }),
  };
}

/** Returns the chunks of the same answer. */
export function chatStream(body, m) {
  const { choices, usage, ...top } = body;
  const base = { ...top, object: "chat.completion.chunk" };
  const lists = choices.map((choice) => choiceChunks(choice, m));
  const chunks = interleaved(lists, m).map((choice) => ({ ...base, choices: [choice] }));
  if (usage) chunks.push({ ...base, choices: [], usage });
  return chunks;
}

function choiceChunks({ index, message, logprobs, finish_reason, ...rest }, m) {
  const {
    role,
    content,
    refusal,
    tool_calls,
    annotations,
    audio,
    reasoning_content,
    reasoning,
    reasoning_details,
    function_call,
    images,
    ...others
  } = message;
  const deltas = [{ role, content: "", ...others }];
  for (const piece of piecesOf(reasoning_content, m)) deltas.push({ reasoning_content: piece });
  for (const piece of piecesOf(reasoning, m)) deltas.push({ reasoning: piece });
  for (const detail of reasoning_details ?? []) deltas.push(...detailDeltas(detail, m));
  const contentDeltas = piecesOf(content, m).map((piece) => ({ content: piece }));
  deltas.push(...contentDeltas);
  if (annotations?.length) deltas.push({ annotations });
  for (const piece of piecesOf(refusal, m)) deltas.push({ refusal: piece });
  if (audio) {
    const { data, transcript, ...first } = audio;
    deltas.push({ audio: first });
    for (const piece of piecesOf(data, m)) deltas.push({ audio: { data: piece } });
    for (const piece of piecesOf(transcript, m)) deltas.push({ audio: { transcript: piece } });
  }
  for (const image of images ?? []) deltas.push({ images: [image] });
  const calls = (tool_calls ?? []).map((call, at) => callDeltas(call, at, m));
  deltas.push(...interleaved(calls, m).map((call) => ({ tool_calls: [call] })));
  if (function_call) {
    deltas.push({ function_call: { ...function_call, arguments: "" } });
    for (const piece of piecesOf(function_call.arguments, m)) deltas.push({ function_call: { arguments: piece } });
  }
  const chunks = deltas.map((delta) => ({ index, delta, finish_reason: null, ...(logprobs === null && { logprobs: null }) }));
  if (logprobs) spread(logprobs, chunks, m);
  return [...chunks, { index, delta: {}, finish_reason, ...rest }];
}

/** Log probabilities are sent with the text, a few tokens per chunk. */
function spread(logprobs, chunks, m) {
  const left = structuredClone(logprobs);
  for (const [at, chunk] of chunks.entries()) {
    const isLast = at === chunks.length - 1;
    const take = (list) => (list === null ? null : list.splice(0, isLast ? list.length : m.below(2)));
    chunk.logprobs = Object.fromEntries(Object.entries(left).map(([name, list]) => [name, take(list)]));
  }
}

function detailDeltas(detail, m) {
  const name = ["text", "summary"].find((member) => member in detail);
  if (!name) return [{ reasoning_details: [detail] }];
  const { [name]: text, signature, ...rest } = detail;
  const deltas = piecesOf(text, m).map((piece) => ({ reasoning_details: [{ ...rest, [name]: piece }] }));
  if (signature) deltas.push({ reasoning_details: [{ ...rest, signature }] });
  return deltas;
}

function callDeltas({ id, type, function: called, custom }, index, m) {
  const [name, member] = custom ? ["custom", "input"] : ["function", "arguments"];
  const { [member]: text, ...start } = custom ?? called;
  const pieces = piecesOf(text, m).map((piece) => ({ index, ...(custom && { type }), [name]: { [member]: piece } }));
  return [{ index, id, type, [name]: { ...start, [member]: "" } }, ...pieces];
}

/** Interleaves several lists, keeping the order of each. */
export function interleaved(lists, m) {
  const left = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const all = [];
  while (left.length > 0) {
    const at = m.below(left.length);
    all.push(left[at].shift());
    if (left[at].length === 0) left.splice(at, 1);
  }
  return all;
}
