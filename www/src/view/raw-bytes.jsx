// The bytes of an event as text or hex, with the bytes highlighted that the verdict links to.
import { useEffect, useRef, useState } from "preact/hooks";
import { shorten } from "./shorten.js";

/** @import { Range } from "../capture/frame-cutter.js" */

const MOST_HEX_BYTES = 2048;
const ROW = 16;
const decoder = new TextDecoder();

/** @param {{ bytes: Uint8Array, start: number, marked: Range | undefined, isBinary: boolean }} props `start`: offset of the event */
export function RawBytes({ bytes, start, marked, isBinary }) {
  const [choice, setHex] = useState(/** @type {boolean | undefined} */ (undefined));
  const isHex = choice ?? isBinary;
  const mark = useRef(/** @type {HTMLElement | null} */ (null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: other marked bytes are another element to show
  useEffect(() => {
    const column = mark.current?.closest(".column");
    const element = mark.current;
    if (!column || !element) return;
    const [box, view] = [element.getBoundingClientRect(), column.getBoundingClientRect()];
    if (box.right > view.right || box.left < view.left) column.scrollLeft += box.right - view.right + view.width / 3;
    if (box.bottom > view.bottom || box.top < view.top) column.scrollTop += box.top - view.top - view.height / 3;
  }, [marked]);
  const isInside = marked && marked.start >= start && marked.end <= start + bytes.length;
  const [from, to] = isInside ? [marked.start - start, marked.end - start] : [bytes.length, bytes.length];
  /** @param {number} first @param {number} [last] */
  const text = (first, last) => shorten(decoder.decode(bytes.subarray(first, last)));
  return (
    <>
      <p class="toolbar tight">
        <span class="faint">
          bytes {start.toLocaleString("en")}–{(start + bytes.length).toLocaleString("en")}
        </span>
        <button type="button" class="quiet small" aria-pressed={isHex} onClick={() => setHex(!isHex)}>
          hex
        </button>
        {isInside && <span class="faint">The marked bytes are where it ends.</span>}
      </p>
      {isHex ? (
        <pre>{hexOf(bytes)}</pre>
      ) : (
        <pre>
          {text(0, from)}
          {isInside && <mark ref={mark}>{text(from, to)}</mark>}
          {isInside && text(to)}
        </pre>
      )}
    </>
  );
}

/** @param {Uint8Array} bytes */
function hexOf(bytes) {
  const lines = [];
  for (let offset = 0; offset < Math.min(bytes.length, MOST_HEX_BYTES); offset += ROW) {
    const row = [...bytes.subarray(offset, offset + ROW)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = row.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${offset.toString(16).padStart(4, "0")}  ${hex.padEnd(3 * ROW - 1)}  ${text}`);
  }
  return lines.join("\n") + (bytes.length > MOST_HEX_BYTES ? "\n…" : "");
}
