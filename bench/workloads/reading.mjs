// What it costs that an SDK gets its bytes from a fetch response: the reads, and nothing done with them.
import { CHAT_TEXT } from "./chat.mjs";

export default CHAT_TEXT.map(({ name, make }) => ({
  name: name.replace("chat text", "reading the Response alone"),
  takes: "response",
  unit: "event",
  make(scale) {
    const { input, units, bytes } = make(scale);
    return { input, expected: { bytes }, units, bytes };
  },
}));
