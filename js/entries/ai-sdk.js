// Apart from the others, because only servers of pages need it. It reads sources by way of the main entry.
export { toUIMessageStream, toUIMessageStreamResponse } from "../ai_sdk/ui_message_stream.js";
