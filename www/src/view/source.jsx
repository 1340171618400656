// Where a capture comes from: a file, pasted text, a sample; and which of several answers in it is shown.
import { useRef, useState } from "preact/hooks";
import { SAMPLES } from "../capture/samples.js";
import { EntryList } from "./entry-list.jsx";
import { Icon } from "./icon.jsx";

export function Source({ session, capture, chosen, isAsking, trouble, isReading, onOpen, onChoose, onClear, onAsk }) {
  const file = useRef();
  const [isPasting, setPasting] = useState(false);
  const [text, setText] = useState("");
  const isEmpty = session.recording === undefined;
  const encode = (content) => new TextEncoder().encode(content);
  const openSample = (id) => {
    const { text: sample } = SAMPLES.find((known) => known.id === id);
    onOpen(id, encode(sample));
  };
  const openFile = async ({ target }) => {
    const [chosenFile] = target.files;
    if (chosenFile) onOpen(chosenFile.name, new Uint8Array(await chosenFile.arrayBuffer()));
    target.value = "";
  };
  const openText = (event) => {
    event.preventDefault();
    onOpen("pasted text", encode(text));
    setPasting(false);
  };

  return (
    <section class="source" aria-label="Capture">
      <div class="toolbar">
        <button type="button" onClick={() => file.current.click()}>
          <Icon name="file" /> Open a file
        </button>
        <input
          ref={file}
          type="file"
          class="visually-hidden"
          tabIndex={-1}
          aria-label="File with a capture"
          onChange={openFile}
        />
        <button type="button" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
          Paste
        </button>
        <label class="field">
          <span class="visually-hidden">Sample</span>
          <select value="" onChange={({ target }) => target.value && openSample(target.value)}>
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
        {!isEmpty && (
          <>
            <span class="name" title={session.recording.name}>
              {capture && capture.kind !== "capture" ? `${capture.kind}: ` : ""}
              {capture && capture.entries.length > 1 ? capture.name : session.recording.name}
            </span>
            <button type="button" class="quiet" onClick={onClear} aria-label="Close the capture" title="Close the capture">
              <Icon name="close" />
            </button>
          </>
        )}
      </div>
      <p role="status" class={trouble ? "trouble" : "visually-hidden"}>
        {trouble ?? (isReading ? "Reading…" : isEmpty ? "Nothing is open." : `${session.recording.name} is open.`)}
      </p>
      {isPasting && (
        <form class="paste" onSubmit={openText}>
          <label for="paste">A stream, JSON lines, a JSON body, or a batch result file</label>
          <textarea
            id="paste"
            rows={8}
            spellcheck={false}
            autocomplete="off"
            value={text}
            onInput={({ target }) => setText(target.value)}
          />
          <button type="submit" class="primary" disabled={text.trim() === ""}>
            Read it
          </button>
        </form>
      )}
      {isEmpty && !isPasting && !isAsking && (
        <div class="welcome">
          <p class="lead">Drop a capture here.</p>
          <p>
            What <code>curl -N</code> printed, JSON lines, a HAR file from the browser, one JSON body, or a batch result file.
            OpenAI chat and Responses, Anthropic, and everything compatible is recognised by itself.
          </p>
          <div class="samples">
            {SAMPLES.map(({ id, title }) => (
              <button key={id} type="button" class="sample" onClick={() => openSample(id)}>
                {title}
              </button>
            ))}
          </div>
        </div>
      )}
      {capture && capture.entries.length > 1 && <EntryList entries={capture.entries} chosen={chosen} onChoose={onChoose} />}
    </section>
  );
}
