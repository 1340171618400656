// Opens a capture: a file, pasted text or a sample.
import { useRef, useState } from "preact/hooks";
import { SAMPLES } from "../capture/samples.js";
import { Icon } from "./icon.jsx";

/** @typedef {(name: string, content: Blob | Uint8Array<ArrayBuffer>) => void} Open */

/**
 * @param {object} props
 * @param {string | undefined} props.name name of the open capture
 * @param {boolean} props.isAsking
 * @param {boolean} props.isPasting
 * @param {Open} props.onOpen
 * @param {(id: string) => void} props.onSample
 * @param {() => void} props.onClear
 * @param {() => void} props.onAsk
 * @param {() => void} props.onPaste
 */
export const Source = ({ name, isAsking, isPasting, onOpen, onSample, onClear, onAsk, onPaste }) => (
  <section class="source toolbar" aria-label="Capture">
    <FileButton onOpen={onOpen} />
    <button type="button" aria-expanded={isPasting} onClick={onPaste}>
      Paste
    </button>
    <label class="field">
      <span class="visually-hidden">Sample</span>
      <select value="" onChange={({ currentTarget }) => onSample(currentTarget.value)}>
        <option value="">Samples…</option>
        {SAMPLES.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
    <button type="button" aria-expanded={isAsking} onClick={onAsk}>
      Playground
    </button>
    {name !== undefined && (
      <span class="open-capture">
        <span class="name" title={name}>
          {name}
        </span>
        <button type="button" class="quiet" onClick={onClear} aria-label="Close the capture" title="Close the capture">
          <Icon name="close" />
        </button>
      </span>
    )}
  </section>
);

/** @param {{ onOpen: Open }} props */
function FileButton({ onOpen }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** @param {HTMLInputElement} field */
  const open = (field) => {
    const file = field.files?.[0];
    if (file) onOpen(file.name, file);
    field.value = "";
  };
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        <Icon name="file" /> Open file
      </button>
      <input
        ref={input}
        type="file"
        class="visually-hidden"
        tabIndex={-1}
        aria-label="Capture file"
        onChange={({ currentTarget }) => open(currentTarget)}
      />
    </>
  );
}

/** @param {{ onSubmit: (text: string) => void }} props */
export function PasteForm({ onSubmit }) {
  const [text, setText] = useState("");
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    onSubmit(text);
  };
  return (
    <form class="paste" onSubmit={submit}>
      <label for="paste">A stream, JSON lines, a JSON body, a batch result file or a curl command</label>
      <textarea
        id="paste"
        rows={8}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="primary" disabled={text.trim() === ""}>
        Open
      </button>
    </form>
  );
}
