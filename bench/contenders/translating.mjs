// Writes a stream as another interface: respool, hand-written code, and Braintrust's Lingua, which is also written in Rust.
import { TransformStreamSession } from "@braintrust/lingua-wasm";
import { createParser } from "eventsource-parser";
import { StreamAccumulator } from "respool";
import { StreamEncoder } from "respool/encode";

/** @import { WireApi } from "respool/encode" */
/** @import { Contender } from "./index.mjs" */
/** @import { Chunk } from "./wire.d.ts" */

/** @typedef {(string | Uint8Array)[]} Written */

const WORK = /** @type {const} */ ([
  { takes: "chat reads for Anthropic", to: "anthropic-messages", lingua: "anthropic", byHand: chatToAnthropic },
  { takes: "anthropic reads for Responses", to: "openai-responses", lingua: "responses", byHand: anthropicToResponses },
]);

/** @param {WireApi} to */
const encodeTo = (to) => (/** @type {Uint8Array[]} */ reads) => {
  const encoder = new StreamEncoder(to);
  /** @type {Written} */
  const written = reads.map((read) => encoder.pushBytes(read));
  written.push(encoder.finish());
  encoder.free();
  return written;
};

/** @param {Uint8Array[]} reads */
function readOnly(reads) {
  const accumulator = new StreamAccumulator();
  for (const read of reads) accumulator.pushBytes(read);
  const { text } = accumulator.finish();
  accumulator.free();
  return text;
}

/** @param {Uint8Array[]} reads @param {(data: string) => void} onData */
function parse(reads, onData) {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => onData(data) });
  for (const read of reads) parser.feed(decoder.decode(read, { stream: true }));
}

/** @param {string} format */
const linguaTo = (format) => (/** @type {Uint8Array[]} */ reads) => {
  const session = new TransformStreamSession(format);
  /** @type {Written} */
  const written = [];
  parse(reads, (data) => {
    if (data !== "[DONE]") written.push(...session.pushSse(data));
  });
  written.push(...session.finishSse());
  session.free();
  return written;
};

const event = (/** @type {string} */ type, /** @type {object} */ rest) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

/** Translates only text: the least that a gateway writes. @param {Uint8Array[]} reads */
function chatToAnthropic(reads) {
  /** @type {Written} */
  const written = [];
  let isOpen = false;
  let usage = {};
  parse(reads, (data) => {
    if (data === "[DONE]") return;
    /** @type {Chunk & { id: string, model: string }} */
    const { id, model, choices, usage: counted } = JSON.parse(data);
    if (counted) usage = { input_tokens: counted.prompt_tokens, output_tokens: counted.completion_tokens };
    const content = choices[0]?.delta.content;
    if (!content) return;
    if (!isOpen) {
      const message = { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
      written.push(event("message_start", { message: { ...message, usage: { input_tokens: 0, output_tokens: 0 } } }));
      written.push(event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }));
      isOpen = true;
    }
    written.push(event("content_block_delta", { index: 0, delta: { type: "text_delta", text: content } }));
  });
  written.push(event("content_block_stop", { index: 0 }));
  written.push(event("message_delta", { delta: { stop_reason: "end_turn", stop_sequence: null }, usage }));
  written.push(event("message_stop", {}));
  return written;
}

/** Translates text and arguments: the least that a gateway writes. @param {Uint8Array[]} reads */
function anthropicToResponses(reads) {
  /** @type {Written} */
  const written = [];
  let number = 0;
  const write = (/** @type {string} */ type, /** @type {object} */ rest) =>
    written.push(event(type, { ...rest, sequence_number: number++ }));
  let response = {};
  /** @type {{ id: string, type: string, text: string, call?: object }[]} */
  const items = [];
  parse(reads, (data) => {
    const { type, message, index: output_index, content_block: block, delta } = JSON.parse(data);
    const item = items[output_index];
    if (type === "message_start") {
      response = { id: message.id, object: "response", created_at: 0, model: message.model, status: "in_progress", output: [] };
      write("response.created", { response });
    } else if (type === "content_block_start") {
      const call = { call_id: block.id, name: block.name };
      items[output_index] = { id: `item_${output_index}`, type: block.type, text: "", ...(block.id && { call }) };
      write("response.output_item.added", { output_index, item: itemOf(items[output_index], "in_progress") });
    } else if (delta?.type === "text_delta") {
      item.text += delta.text;
      write("response.output_text.delta", { item_id: item.id, output_index, content_index: 0, delta: delta.text });
    } else if (delta?.type === "input_json_delta") {
      item.text += delta.partial_json;
      write("response.function_call_arguments.delta", { item_id: item.id, output_index, delta: delta.partial_json });
    } else if (type === "content_block_stop") {
      write("response.output_item.done", { output_index, item: itemOf(item, "completed") });
    }
  });
  const output = items.map((item) => itemOf(item, "completed"));
  write("response.completed", { response: { ...response, status: "completed", output } });
  return written;
}

/** @param {{ id: string, type: string, text: string, call?: object }} item @param {string} status */
function itemOf({ id, text, call }, status) {
  if (call) return { id, type: "function_call", status, ...call, arguments: text };
  return { id, type: "message", status, role: "assistant", content: [{ type: "output_text", text, annotations: [] }] };
}

/** Reads the text back from the written events. @param {Written} written */
function outcome(written) {
  const bytes = written.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  return { text: readOnly(bytes) };
}

/** @type {Contender[]} */
export default WORK.flatMap(({ takes, to, lingua, byHand }) => [
  { name: "respool StreamEncoder", takes, run: encodeTo(to), outcome },
  { name: "respool pushBytes, reading only", takes, run: readOnly, outcome: (text) => ({ text }) },
  { name: "eventsource-parser + JSON, by hand", takes, run: byHand, outcome },
  { name: "@braintrust/lingua-wasm", takes, run: linguaTo(lingua), outcome },
]);
