// Bedrock without its SDK: the codec of AWS's SDK decodes the messages, JSON.parse parses them, and a few lines of code
// accumulate. This is its fastest form: no stream objects.
import { EventStreamCodec } from "@smithy/eventstream-codec";
import { addConverseEvent, emptyConversation } from "./converse.mjs";

/** @import { Contender } from "./index.mjs" */

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** @param {Uint8Array[]} reads */
function run(reads) {
  const conversation = emptyConversation();
  const codec = new EventStreamCodec(
    (bytes) => decoder.decode(bytes),
    (text) => encoder.encode(text),
  );
  for (const message of messagesIn(reads)) {
    const { headers, body } = codec.decode(message);
    const event = JSON.parse(decoder.decode(body));
    addConverseEvent(conversation, headers[":event-type"]?.value, event);
  }
  return conversation.answer;
}

/** Yields the bytes of each message. @param {Uint8Array[]} reads */
function* messagesIn(reads) {
  let rest = new Uint8Array();
  for (const read of reads) {
    let bytes = read;
    if (rest.length > 0) {
      bytes = new Uint8Array(rest.length + read.length);
      bytes.set(rest);
      bytes.set(read, rest.length);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    while (at + 4 <= bytes.length && at + view.getUint32(at) <= bytes.length) {
      const end = at + view.getUint32(at);
      yield bytes.subarray(at, end);
      at = end;
    }
    rest = bytes.slice(at);
  }
}

/** @type {Contender[]} */
export default [{ name: "@smithy/eventstream-codec + JSON.parse", takes: "bedrock reads", run, outcome: (answer) => answer }];
