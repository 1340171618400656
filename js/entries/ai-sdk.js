// A separate entry, because only servers of web pages need it. It reads sources through the main entry.
import { endOwnCode } from "../stack.js";

export { toUIMessageStream, toUIMessageStreamResponse } from "../ai_sdk/ui_message_stream.js";

endOwnCode(new Error("the last statement of the library"));
