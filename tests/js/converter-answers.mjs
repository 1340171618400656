// Answers for the tests of converters, and what converters return for them.
import { ModelResponseConverter } from "respool";
import { RESPONSES_STREAM } from "./answers.mjs";

export const TEXT = "The ferry leaves at 9:35.";
export const CALL = { id: "toolu_7", name: "timetable", arguments: '{"port":"Skjervøy"}' };
export const CALL_BLOCK = { type: "tool_call", id: "toolu_7", name: "timetable", arguments: { port: "Skjervøy" } };

export const ANTHROPIC = {
  id: "msg_7",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [
    { type: "thinking", thinking: "Which port?", signature: "c2ln" },
    { type: "text", text: "I look it up." },
    { type: "tool_use", id: "toolu_7", name: "timetable", input: { port: "Skjervøy" } },
  ],
  stop_reason: "tool_use",
  usage: { input_tokens: 9, output_tokens: 6 },
};

export const RESPONSES = RESPONSES_STREAM.at(-1).response;

export const invoke = (response, converter = "auto") => new ModelResponseConverter(response, converter).invoke();
