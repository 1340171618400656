// Captures as files to hand on: the bytes of each read, and when it came.

const FORMAT = "respool-capture";
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** A recording as JSON: frame by frame, with its times where they are known. */
export function toShare(recording) {
  const reads = recording.frames.map((frame) => ({
    ...(frame.time === undefined ? {} : { time: Math.round(frame.time * 1000) / 1000 }),
    ...toText(recording.bytesOf(frame)),
  }));
  return `${JSON.stringify({ format: FORMAT, version: 1, name: recording.name, reads }, null, 1)}\n`;
}

/** What such a file says; undefined where it is none. */
export function readsOfShare(value) {
  if (value?.format !== FORMAT || !Array.isArray(value.reads)) return undefined;
  const reads = value.reads.map(({ time, text, base64 }) => ({
    bytes:
      base64 === undefined ? encoder.encode(String(text)) : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
    time: typeof time === "number" ? time : undefined,
  }));
  return { name: typeof value.name === "string" ? value.name : undefined, reads };
}

function toText(bytes) {
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    return { base64: btoa(String.fromCharCode(...bytes)) };
  }
}
