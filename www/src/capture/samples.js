// The samples that come with the page. All of them are invented.
import anthropic from "../../samples/anthropic-thinking.json";
import batch from "../../samples/batch.jsonl";
import chat from "../../samples/chat-tool-calls.json";
import gemini from "../../samples/gemini-grounding.json";
import interactions from "../../samples/gemini-interactions.json";
import truncated from "../../samples/cut-off.json";
import refusal from "../../samples/refusal.json";
import responses from "../../samples/responses-web-search.json";

export const SAMPLES = [
  { id: "anthropic-thinking", title: "Anthropic: thinking, Markdown, a tool call", text: anthropic },
  { id: "chat-tool-calls", title: "Chat: parallel tool calls", text: chat },
  { id: "gemini-grounding", title: "Gemini: thoughts, a search, parallel calls", text: gemini },
  { id: "gemini-interactions", title: "Interactions: a thought, a search, a call", text: interactions },
  { id: "responses-web-search", title: "Responses: web search with a citation", text: responses },
  { id: "cut-off", title: "Cut off in the middle of a tool call", text: truncated },
  { id: "refusal", title: "A refusal", text: refusal },
  { id: "batch", title: "A batch result file", text: batch },
];
