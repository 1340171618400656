// Cuts bytes, as they come, into frames: server-sent events, or JSON lines, or one body.

const LF = 10;
const CR = 13;

/** What the bytes are, as far as their beginning tells. */
export const Framing = Object.freeze({ Unknown: "unknown", Events: "events", Lines: "lines", Body: "body" });

/** Bytes that grow without being copied each time. */
class GrowingBytes {
  #room = new Uint8Array(1 << 12);
  length = 0;

  append(bytes) {
    if (this.length + bytes.length > this.#room.length) {
      const room = new Uint8Array(Math.max(this.#room.length * 2, this.length + bytes.length));
      room.set(this.slice(0, this.length));
      this.#room = room;
    }
    this.#room.set(bytes, this.length);
    this.length += bytes.length;
  }

  at(index) {
    return this.#room[index];
  }

  slice(start, end) {
    return this.#room.subarray(start, end);
  }

  indexOf(byte, from) {
    const found = this.#room.subarray(from, this.length).indexOf(byte);
    return found < 0 ? -1 : from + found;
  }
}

export class FrameCutter {
  framing = Framing.Unknown;
  #bytes = new GrowingBytes();
  /** Where the frame begins that is not whole yet, and up to where it was looked at. */
  #start = 0;
  #seen = 0;

  get length() {
    return this.#bytes.length;
  }

  slice(start, end) {
    return this.#bytes.slice(start, end);
  }

  /** @returns {{ start: number, end: number }[]} the frames that these bytes completed */
  push(bytes) {
    this.#bytes.append(bytes);
    if (this.framing === Framing.Unknown) this.framing = this.#recognise();
    const frames = [];
    for (let frame = this.#next(); frame; frame = this.#next()) {
      if (!this.#isBlank(frame)) frames.push(frame);
    }
    return frames;
  }

  /** What is left at the end of the input. */
  finish() {
    const frame = { start: this.#start, end: this.#bytes.length };
    this.#start = frame.end;
    return this.#isBlank(frame) ? [] : [frame];
  }

  #next() {
    const end = { [Framing.Events]: () => this.#endOfEvent(), [Framing.Lines]: () => this.#endOfLine() }[this.framing]?.();
    if (end === undefined) return undefined;
    const frame = { start: this.#start, end };
    this.#start = this.#seen = end;
    return frame;
  }

  #endOfLine() {
    const end = this.#bytes.indexOf(LF, this.#seen);
    this.#seen = end < 0 ? this.#bytes.length : end;
    return end < 0 ? undefined : end + 1;
  }

  /** The byte after an empty line. Line ends are LF, CR and CRLF. */
  #endOfEvent() {
    const bytes = this.#bytes;
    for (let at = this.#seen; at < bytes.length; at++) {
      const byte = bytes.at(at);
      if (byte !== LF && byte !== CR) continue;
      let after = at + 1;
      if (byte === CR && bytes.at(after) === LF) after += 1;
      if (after >= bytes.length) {
        this.#seen = at;
        return undefined;
      }
      const next = bytes.at(after);
      if (next === LF) return after + 1;
      if (next === CR) {
        if (after + 1 >= bytes.length) {
          this.#seen = at;
          return undefined;
        }
        return bytes.at(after + 1) === LF ? after + 2 : after + 1;
      }
      at = after - 1;
    }
    this.#seen = bytes.length;
    return undefined;
  }

  #isBlank({ start, end }) {
    return this.#bytes.slice(start, end).every((byte) => byte <= 0x20);
  }

  /** JSON begins with a bracket. A first line that is JSON by itself is one of several. */
  #recognise() {
    let at = 0;
    while (at < this.#bytes.length && isSpaceOrMark(this.#bytes.at(at))) at += 1;
    if (at === this.#bytes.length) return Framing.Unknown;
    const isJson = this.#bytes.at(at) === 0x7b || this.#bytes.at(at) === 0x5b;
    if (!isJson) return Framing.Events;
    const end = this.#bytes.indexOf(LF, at);
    if (end < 0) return Framing.Unknown;
    return isJsonText(this.#bytes.slice(at, end)) ? Framing.Lines : Framing.Body;
  }
}

const isSpaceOrMark = (byte) => byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;

function isJsonText(bytes) {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}
