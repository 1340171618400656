// Apart from the others, because only servers of pages need it. It reads sources by way of the main entry.
import { endOwnCode } from "../stack.js";

export { toUIMessageStream, toUIMessageStreamResponse } from "../ai_sdk/ui_message_stream.js";

endOwnCode(new Error("the last statement of the library"));
