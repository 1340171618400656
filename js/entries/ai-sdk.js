// A separate entry, because only servers of web pages need it. It reads sources through the main entry.
export { toUIMessageStream, toUIMessageStreamResponse } from "../ai_sdk/ui_message_stream.js";
