// Events on their way through a socket, and what goes wrong there.
import { setImmediate } from "node:timers/promises";
import { cutInTwo } from "./turn.mjs";

/**
 * The body of an answer. `fault` is one of:
 *
 * - `{ cut: n }`: after n events, in the middle of the next one, the connection is lost
 * - `{ end: n }`: there the answer ends as if it were whole
 * - `{ stall: n }`: there nothing more comes, and the connection stays
 * - `{ drip: true }`: each byte comes by itself
 * - `{ garbage: n }`: after n events there are some that are none
 * - `{ gather: true }`: no fault, but everything in two writes, which is faster than one for each event
 *
 * `lose` breaks the connection; `onEnd` hears `"sent"`, `"stalled"`, or `"left"` when the
 * client has left.
 */
export function streamOf(events, fault, { lose, onEnd }) {
  const parts = cutInParts(events, fault);
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        // By itself each part reaches the client before the next one is written.
        await setImmediate();
        const part = parts.shift();
        if (part !== undefined) return controller.enqueue(typeof part === "string" ? encoder.encode(part) : part);
        if (fault?.stall !== undefined) {
          onEnd("stalled");
          return new Promise(() => {});
        }
        onEnd("sent");
        return fault?.cut === undefined ? controller.close() : lose();
      },
      cancel: () => onEnd("left"),
    },
    { highWaterMark: 0 },
  );
}

const GARBAGE = ["<html>Bad gateway</html>\n\n", 'data: {"choices":[{"delta":\n\n', "data: 7\n\n", ": a comment\n\n"];

function cutInParts(events, fault) {
  const end = fault?.cut ?? fault?.end ?? fault?.stall;
  if (end !== undefined) {
    const next = events[end] ?? "";
    return [...events.slice(0, end), next.slice(0, Math.ceil(next.length / 2))].filter((part) => part !== "");
  }
  if (fault?.garbage !== undefined) return [...events.slice(0, fault.garbage), ...GARBAGE, ...events.slice(fault.garbage)];
  if (fault?.gather) return cutInTwo(events.join(""));
  if (fault?.drip) return Array.from(new TextEncoder().encode(events.join("")), (byte) => Uint8Array.of(byte));
  return [...events];
}
