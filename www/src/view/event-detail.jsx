// One event: its raw bytes, what it says, and the deltas that it gave, side by side.
import { useMemo, useState } from "preact/hooks";
import { eventOf } from "../capture/event.js";
import { CopyButton } from "./copy-button.jsx";
import { JsonTree } from "./json-tree.jsx";

const MOST_SHOWN = 20_000;
const HEX_SHOWN = 2048;

export function EventDetail({ session }) {
  const { recording, selected } = session;
  if (selected < 0) return <p class="faint hint">Select an event to see its bytes, what it says, and what it added.</p>;
  const frame = recording.frames[selected];
  const text = recording.textOf(frame);
  return (
    <section class="event-detail" aria-label={`Event ${selected + 1}`}>
      <Raw bytes={recording.bytesOf(frame)} text={text} key={selected} />
      <Decoded text={text} />
      <Deltas deltas={recording.deltas[selected]} />
    </section>
  );
}

function Raw({ bytes, text }) {
  const [isHex, setHex] = useState(false);
  return (
    <div class="column">
      <h3>
        Raw bytes
        <span class="spacer" />
        <button type="button" class="quiet small" aria-pressed={isHex} onClick={() => setHex(!isHex)}>
          hex
        </button>
        <CopyButton what="Copy the raw event" text={() => text} />
      </h3>
      <pre tabIndex={0}>{isHex ? hexOf(bytes) : shortened(text)}</pre>
    </div>
  );
}

function Decoded({ text }) {
  const event = useMemo(() => eventOf(text), [text]);
  return (
    <div class="column">
      <h3>Decoded{event.name && <span class="tag">{event.name}</span>}</h3>
      {event.isJson ? (
        <JsonTree value={event.value} />
      ) : (
        <pre tabIndex={0}>{event.data === "" ? "No data: a comment, or a field of the stream." : event.data}</pre>
      )}
    </div>
  );
}

function Deltas({ deltas }) {
  return (
    <div class="column">
      <h3>Deltas{deltas.length > 0 && <span class="tag">{deltas.length}</span>}</h3>
      {deltas.length === 0 ? (
        <p class="faint">It added nothing to the answer.</p>
      ) : (
        deltas.map((delta, at) => <JsonTree key={at} value={delta} />)
      )}
    </div>
  );
}

const shortened = (text) =>
  text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}… (${text.length.toLocaleString("en")} characters)` : text;

function hexOf(bytes) {
  const lines = [];
  for (let at = 0; at < Math.min(bytes.length, HEX_SHOWN); at += 16) {
    const part = [...bytes.subarray(at, at + 16)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = part.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${at.toString(16).padStart(4, "0")}  ${hex.padEnd(47)}  ${text}`);
  }
  return lines.join("\n") + (bytes.length > HEX_SHOWN ? "\n…" : "");
}
