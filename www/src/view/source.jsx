// Opens a capture: a file, pasted text or a sample. Lists the responses if it contains several.
import { useRef, useState } from "preact/hooks";
import { SAMPLES } from "../capture/samples.js";
import { EntryList } from "./entry-list.jsx";
import { Icon } from "./icon.jsx";

/** @import { Entry } from "../capture/capture.js" */
/** @import { Session } from "../session/session.js" */
/** @import { NamedCapture } from "./app.jsx" */

/** @typedef {(name: string, bytes: Uint8Array<ArrayBuffer>) => void} OpenBytes */

const encoder = new TextEncoder();

/**
 * @param {object} props
 * @param {Session} props.session
 * @param {NamedCapture | undefined} props.capture
 * @param {number} props.chosen
 * @param {boolean} props.isAsking
 * @param {string | undefined} props.problem
 * @param {boolean} props.isReading
 * @param {OpenBytes} props.onOpen
 * @param {(entry: Entry, index: number) => void} props.onChoose
 * @param {() => void} props.onClear
 * @param {() => void} props.onAsk
 */
export function Source({ session, capture, chosen, isAsking, problem, isReading, onOpen, onChoose, onClear, onAsk }) {
  const [isPasting, setPasting] = useState(false);
  const name = session.recording?.name;
  const hasEntries = capture !== undefined && capture.entries.length > 1;
  /** @param {string} id */
  const openSample = (id) => {
    const sample = SAMPLES.find((known) => known.id === id);
    if (sample) onOpen(id, encoder.encode(sample.text));
  };
  /** @param {string} text */
  const openText = (text) => {
    onOpen("pasted text", encoder.encode(text));
    setPasting(false);
  };

  return (
    <section class="source" aria-label="Capture">
      <div class="toolbar">
        <FileButton onOpen={onOpen} />
        <button type="button" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
          Paste
        </button>
        <label class="field">
          <span class="visually-hidden">Sample</span>
          <select value="" onChange={({ currentTarget }) => openSample(currentTarget.value)}>
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
        <span class="spacer" />
        {name !== undefined && (
          <>
            <span class="name" title={name}>
              {capture && capture.kind !== "capture" ? `${capture.kind}: ` : ""}
              {hasEntries ? capture.name : name}
            </span>
            <button type="button" class="quiet" onClick={onClear} aria-label="Close the capture" title="Close the capture">
              <Icon name="close" />
            </button>
          </>
        )}
      </div>
      <p role="status" class={problem ? "problem" : "visually-hidden"}>
        {problem ?? (isReading ? "Reading…" : name === undefined ? "No capture is open." : `${name} is open.`)}
      </p>
      {isPasting && <PasteForm onSubmit={openText} />}
      {name === undefined && !isPasting && !isAsking && <Welcome onSample={openSample} />}
      {hasEntries && <EntryList entries={capture.entries} chosen={chosen} onChoose={onChoose} />}
    </section>
  );
}

/** @param {{ onOpen: OpenBytes }} props */
function FileButton({ onOpen }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** @param {HTMLInputElement} field */
  const open = async (field) => {
    const file = field.files?.[0];
    if (file) onOpen(file.name, new Uint8Array(await file.arrayBuffer()));
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
function PasteForm({ onSubmit }) {
  const [text, setText] = useState("");
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    onSubmit(text);
  };
  return (
    <form class="paste" onSubmit={submit}>
      <label for="paste">A stream, JSON lines, a JSON body or a batch result file</label>
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

/** @param {{ onSample: (id: string) => void }} props */
const Welcome = ({ onSample }) => (
  <div class="welcome">
    <p class="lead">Drop a capture here.</p>
    <p>
      The output of <code>curl -N</code>, JSON lines, a HAR file from your browser, a JSON body or a batch result file. The API is
      detected: OpenAI chat completions and compatible servers, OpenAI Responses, Anthropic Messages, Gemini and Interactions,
      Ollama, Cohere.
    </p>
    <div class="samples">
      {SAMPLES.map(({ id, title }) => (
        <button key={id} type="button" class="sample" onClick={() => onSample(id)}>
          {title}
        </button>
      ))}
    </div>
  </div>
);
