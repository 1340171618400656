// A separate entry, because only servers of AG-UI clients need it. It reads sources through the main entry.
import { endOwnCode } from "../stack.js";

export { toAgUiEvents, toAgUiResponse } from "../ag_ui/ag_ui_events.js";

endOwnCode(new Error("the last statement of the library"));
