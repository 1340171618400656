// The page: the open capture and the views of it, or the start page.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { CaptureError, openCapture, readFile } from "../capture/capture.js";
import { SAMPLES } from "../capture/samples.js";
import { messageOf } from "../capture/values.js";
import { leadOf, verdictOf } from "../diagnosis/verdict.js";
import { parseCurl } from "../playground/curl.js";
import { Runs } from "../playground/runs.js";
import { Recording } from "../session/recording.js";
import { isOpen } from "../session/session.js";
import { Compare } from "./compare.jsx";
import { EntryList } from "./entry-list.jsx";
import { Playground } from "./playground.jsx";
import { PasteForm, Source } from "./source.jsx";
import { Start } from "./start.jsx";
import { ThemeButton } from "./theme.jsx";
import { useDrop } from "./use-drop.js";
import { useSession } from "./use-session.js";
import { Workspace } from "./workspace.jsx";

/** @import { Capture, Entry } from "../capture/capture.js" */
/** @import { CurlRequest } from "../playground/curl.js" */
/** @import { Run } from "../playground/runs.js" */
/** @import { Session } from "../session/session.js" */

/** @typedef {Capture & { name: string }} NamedCapture */

const encoder = new TextEncoder();
/** Longer files aren't cURL commands. */
const LONGEST_COMMAND = 1_000_000;

/** @param {{ session: Session }} props */
export function App({ session }) {
  useSession(session);
  const [capture, setCapture] = useState(/** @type {NamedCapture | undefined} */ (undefined));
  const [chosen, setChosen] = useState(0);
  const [problem, setProblem] = useState(/** @type {string | undefined} */ (undefined));
  const [isReading, setReading] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [isPasting, setPasting] = useState(false);

  const [runs] = useState(() => new Runs());
  const [compared, setCompared] = useState(/** @type {Run[] | undefined} */ (undefined));
  const [command, setCommand] = useState(/** @type {CurlRequest | undefined} */ (undefined));

  /** Counts what the user asked to see. Reading takes time, and only the last is shown. */
  const asked = useRef(0);

  const showEntry = useCallback(
    /** @param {Entry} entry @param {number} index */
    async (entry, index) => {
      const turn = ++asked.current;
      setChosen(index);
      setReading(true);
      try {
        const recording = await Recording.of(entry);
        if (turn !== asked.current) return;
        session.show(recording);
        // What broke is shown at once.
        const lead = leadOf(verdictOf(recording));
        if (lead?.frame !== undefined) session.select(lead.frame, lead.bytes);
      } finally {
        if (turn === asked.current) setReading(false);
      }
    },
    [session],
  );
  const open = useCallback(
    /** @param {string} name @param {Blob | Uint8Array<ArrayBuffer>} content */
    async (name, content) => {
      setProblem(undefined);
      setPasting(false);
      setCompared(undefined);
      const turn = ++asked.current;
      setReading(false);
      try {
        const bytes = content instanceof Blob ? await readFile(name, content) : content;
        if (turn !== asked.current) return;
        const request = bytes.length < LONGEST_COMMAND ? parseCurl(new TextDecoder().decode(bytes)) : undefined;
        if (request) {
          setCommand(request);
          setAsking(true);
          return;
        }
        const opened = await openCapture(name, bytes);
        if (turn !== asked.current) return;
        setCapture({ ...opened, name });
        setProblem(opened.notice);
        await showEntry(opened.entries[0], 0);
      } catch (error) {
        const isKnown = error instanceof CaptureError;
        if (turn === asked.current) setProblem(isKnown ? error.message : `${name} can't be shown: ${messageOf(error)}`);
        if (!isKnown) throw error; // for the console
      }
    },
    [showEntry],
  );
  const openSample = useCallback(
    /** @param {string} id */
    (id) => {
      const sample = SAMPLES.find((known) => known.id === id);
      if (sample) open(id, encoder.encode(sample.text));
    },
    [open],
  );
  const clear = useCallback(() => {
    asked.current += 1;
    setReading(false);
    setCapture(undefined);
    setProblem(undefined);
    session.clear();
  }, [session]);
  const showRecording = useCallback(
    /** @param {Recording} recording */
    (recording) => {
      asked.current += 1;
      setReading(false);
      setCapture(undefined);
      setProblem(undefined);
      setCompared(undefined);
      session.show(recording);
    },
    [session],
  );
  const isDropping = useDrop(open);
  const name = session.recording?.name;
  useEffect(() => {
    document.title = name === undefined ? "respool inspector" : `${name} – respool inspector`;
  }, [name]);
  const hasEntries = capture !== undefined && capture.entries.length > 1;
  const hasSide = isAsking || isPasting || hasEntries;
  const isShown = isOpen(session);

  return (
    <div class={`page ${isShown ? "is-open" : ""} ${hasSide ? "has-side" : ""} ${isDropping ? "dropping" : ""}`}>
      <header class="masthead">
        <h1>
          respool <span>inspector</span>
        </h1>
        <Source
          name={capture && capture.kind !== "capture" ? `${capture.kind}: ${capture.name}` : name}
          {...{ isAsking, isPasting }}
          onOpen={open}
          onSample={openSample}
          onClear={clear}
          onAsk={() => setAsking(!isAsking)}
          onPaste={() => setPasting(!isPasting)}
        />
        <ThemeButton />
      </header>
      <p role="status" class={problem ? "problem page-problem" : "visually-hidden"}>
        {problem ?? (isReading ? "Reading…" : name === undefined ? "No capture is open." : `${name} is open.`)}
      </p>
      {hasSide && (
        <aside class="side" aria-label="Sources">
          {isPasting && <PasteForm onSubmit={(text) => open("pasted text", encoder.encode(text))} />}
          {hasEntries && <EntryList entries={capture.entries} chosen={chosen} onChoose={showEntry} />}
          {isAsking && <Playground {...{ session, runs, command }} onShow={showRecording} onCompare={setCompared} />}
        </aside>
      )}
      {compared && (
        <Compare runs={compared} onOpen={({ recording }) => showRecording(recording)} onClose={() => setCompared(undefined)} />
      )}
      {!compared && isShown && <Workspace session={session} />}
      {!compared && !isShown && <Start onSample={openSample} onAsk={() => setAsking(true)} />}
      {!isShown && (
        <footer class="colophon">
          <p>
            respool runs in this page as WebAssembly and works offline once loaded. Only the playground makes requests, to the
            server you name. <a href="./dist/LICENCES.txt">Licences</a>
          </p>
        </footer>
      )}
    </div>
  );
}
