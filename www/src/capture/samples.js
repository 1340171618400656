// The samples that come with the page. All of them are invented.
import anthropic from "../../samples/anthropic-thinking.json";
import batch from "../../samples/batch.jsonl";
import bedrock from "../../samples/bedrock-converse.json";
import chat from "../../samples/chat-tool-calls.json";
import cohere from "../../samples/cohere-chat.json";
import gemini from "../../samples/gemini-grounding.json";
import interactions from "../../samples/gemini-interactions.json";
import ollama from "../../samples/ollama-chat.json";
import truncated from "../../samples/cut-off.json";
import refusal from "../../samples/refusal.json";
import responses from "../../samples/responses-web-search.json";
import workers from "../../samples/workers-ai.json";

export const SAMPLES = [
  { id: "cut-off", title: "Cut off in the middle of a tool call", note: "why did it break?", text: truncated },
  { id: "anthropic-thinking", title: "Anthropic: thinking, Markdown, a tool call", note: "with times", text: anthropic },
  { id: "chat-tool-calls", title: "Chat: parallel tool calls", note: "OpenAI chat completions", text: chat },
  { id: "responses-web-search", title: "Responses: web search with a citation", note: "OpenAI Responses", text: responses },
  { id: "gemini-grounding", title: "Gemini: thoughts, a search, parallel calls", note: "Google", text: gemini },
  { id: "gemini-interactions", title: "Interactions: a thought, a search, a call", note: "Google", text: interactions },
  { id: "bedrock-converse", title: "Bedrock: binary messages, two calls", note: "AWS Converse", text: bedrock },
  { id: "ollama-chat", title: "Ollama: thinking and a list, in JSON lines", note: "Ollama’s own chat", text: ollama },
  { id: "cohere-chat", title: "Cohere: a plan and a call", note: "chat, version 2", text: cohere },
  { id: "workers-ai", title: "Workers AI: plain text", note: "Cloudflare", text: workers },
  { id: "refusal", title: "A refusal", note: "OpenAI chat completions", text: refusal },
  { id: "batch", title: "A batch result file", note: "three responses", text: batch },
];
