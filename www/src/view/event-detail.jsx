// One event: its raw bytes, its decoded data and its deltas, side by side.
import { useMemo, useState } from "preact/hooks";
import { parseEvent } from "../capture/event.js";
import { CopyButton } from "./copy-button.jsx";
import { JsonTree } from "./json-tree.jsx";

/** @import { Delta } from "respool" */
/** @import { OpenSession } from "../session/session.js" */

const MOST_CHARACTERS = 20_000;
const MOST_HEX_BYTES = 2048;

/** @param {{ session: OpenSession }} props */
export function EventDetail({ session }) {
  const { recording, selected } = session;
  if (selected < 0) return <p class="faint hint">Select an event to see its bytes, its data and its deltas.</p>;
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

/** @param {{ bytes: Uint8Array, text: string }} props */
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
        <CopyButton title="Copy the raw event" text={() => text} />
      </h3>
      <pre tabIndex={0}>{isHex ? hexOf(bytes) : shorten(text)}</pre>
    </div>
  );
}

/** @param {{ text: string }} props */
function Decoded({ text }) {
  const event = useMemo(() => parseEvent(text), [text]);
  return (
    <div class="column">
      <h3>Decoded{event.name && <span class="tag">{event.name}</span>}</h3>
      {event.isJson ? (
        <JsonTree value={event.value} />
      ) : (
        <pre tabIndex={0}>
          {event.data === "" ? "No data: a comment, or only stream fields such as id or retry." : event.data}
        </pre>
      )}
    </div>
  );
}

/** @param {{ deltas: Delta[] }} props */
function Deltas({ deltas }) {
  return (
    <div class="column">
      <h3>Deltas{deltas.length > 0 && <span class="tag">{deltas.length}</span>}</h3>
      {deltas.length === 0 ? (
        <p class="faint">This event adds nothing to the response.</p>
      ) : (
        deltas.map((delta, index) => <JsonTree key={index} value={delta} />)
      )}
    </div>
  );
}

/** @param {string} text */
const shorten = (text) =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}… (${text.length.toLocaleString("en")} characters)` : text;

/** @param {Uint8Array} bytes */
function hexOf(bytes) {
  const lines = [];
  for (let offset = 0; offset < Math.min(bytes.length, MOST_HEX_BYTES); offset += 16) {
    const row = [...bytes.subarray(offset, offset + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = row.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${offset.toString(16).padStart(4, "0")}  ${hex.padEnd(47)}  ${text}`);
  }
  return lines.join("\n") + (bytes.length > MOST_HEX_BYTES ? "\n…" : "");
}
