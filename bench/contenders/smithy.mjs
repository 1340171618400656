// Bedrock without its SDK: the codec of AWS's SDK decodes the messages, JSON.parse parses them, and a few lines of code
// accumulate. This is its fastest form: no stream objects.
import { EventStreamCodec } from "@smithy/eventstream-codec";

/** @import { Answer, Call } from "../workloads/cases.mjs" */
/** @import { Contender } from "./index.mjs" */

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** @param {Uint8Array[]} reads */
function run(reads) {
  /** @type {Answer & { seen: number }} */
  const answer = { text: "", toolCalls: [], finishReason: undefined, usage: undefined, seen: 0 };
  /** @type {Call[]} */
  const blocks = [];
  const codec = new EventStreamCodec(
    (bytes) => decoder.decode(bytes),
    (text) => encoder.encode(text),
  );
  for (const message of messagesIn(reads)) {
    const { headers, body } = codec.decode(message);
    const event = JSON.parse(decoder.decode(body));
    switch (headers[":event-type"]?.value) {
      case "contentBlockDelta": {
        const { text, toolUse } = event.delta;
        if (text !== undefined) answer.text += text;
        else blocks[event.contentBlockIndex].arguments += toolUse.input;
        answer.seen += (text ?? toolUse.input).length;
        break;
      }
      case "contentBlockStart": {
        const { toolUseId, name } = event.start.toolUse;
        blocks[event.contentBlockIndex] = { id: toolUseId, name, arguments: "" };
        answer.toolCalls.push(blocks[event.contentBlockIndex]);
        break;
      }
      case "messageStop":
        answer.finishReason = event.stopReason;
        break;
      case "metadata":
        answer.usage = { input: event.usage.inputTokens, output: event.usage.outputTokens };
    }
  }
  return answer;
}

/** The bytes of each message. @param {Uint8Array[]} reads */
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
