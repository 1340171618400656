// Accumulates the events of Bedrock's Converse by hand, as a program would.

/** @import { Answer, Call } from "../workloads/cases.mjs" */

/** @typedef {{ answer: Answer & { seen: number }, blocks: Call[] }} Conversation */

/** @returns {Conversation} */
export const emptyConversation = () => ({
  answer: { text: "", toolCalls: [], finishReason: undefined, usage: undefined, seen: 0 },
  blocks: [],
});

/** @param {Conversation} conversation @param {unknown} name @param {any} event */
export function addConverseEvent({ answer, blocks }, name, event) {
  switch (name) {
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
