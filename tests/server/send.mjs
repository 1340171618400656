// Sends events through a socket, with faults of the transport.
import { setImmediate } from "node:timers/promises";
import { cutInTwo } from "./turn.mjs";

/**
 * The body of an answer. `fault` is one of:
 *
 * - `{ cut: n }`: after n events, in the middle of the next one, the connection is lost
 * - `{ end: n }`: at that point, the answer ends as if it were complete
 * - `{ stall: n }`: at that point, nothing more is sent, and the connection stays open
 * - `{ drip: true }`: each byte is sent separately
 * - `{ garbage: n }`: after n events, there is data that isn't an event
 * - `{ gather: true }`: no fault, but everything in two writes, which is faster than one per event
 *
 * `lose` breaks the connection. `onEnd` is called with `"sent"`, with `"stalled"`, or with `"left"` if the client
 * disconnects.
 */
export function streamOf(events, fault, { lose, onEnd }) {
  const parts = cutInParts(events.map(bytesOf), fault);
  return new ReadableStream(
    {
      async pull(controller) {
        // Each part reaches the client separately, before the next one is written.
        await setImmediate();
        const part = parts.shift();
        if (part !== undefined) return controller.enqueue(part);
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

const GARBAGE = ["<html>Bad gateway</html>\n\n", 'data: {"choices":[{"delta":\n\n', "data: 7\n\n", ": a comment\n\n"].map(
  bytesOf,
);

/** Returns the bytes of an event, which may be text. */
function bytesOf(event) {
  return typeof event === "string" ? new TextEncoder().encode(event) : event;
}

function cutInParts(events, fault) {
  const end = fault?.cut ?? fault?.end ?? fault?.stall;
  if (end !== undefined) {
    const next = events[end] ?? new Uint8Array();
    return [...events.slice(0, end), next.slice(0, Math.ceil(next.length / 2))].filter((part) => part.length > 0);
  }
  if (fault?.garbage !== undefined) return [...events.slice(0, fault.garbage), ...GARBAGE, ...events.slice(fault.garbage)];
  if (fault?.gather) return cutInTwo(Buffer.concat(events));
  if (fault?.drip) return Array.from(Buffer.concat(events), (byte) => Uint8Array.of(byte));
  return [...events];
}
