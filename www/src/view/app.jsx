// The page: the open capture and its views, or the start page.
import { useEffect, useState } from "preact/hooks";
import { Runs } from "../playground/runs.js";
import { isOpen } from "../session/session.js";
import { Compare } from "./compare.jsx";
import { EntryList } from "./entry-list.jsx";
import { Playground } from "./playground.jsx";
import { PasteForm, Source } from "./source.jsx";
import { Start } from "./start.jsx";
import { ThemeButton } from "./theme.jsx";
import { useDrop } from "./use-drop.js";
import { usePage } from "./use-page.js";
import { useSession } from "./use-session.js";
import { Workspace } from "./workspace.jsx";

/** @import { Session } from "../session/session.js" */

/** @param {{ session: Session }} props */
export function App({ session }) {
  useSession(session);
  const [runs] = useState(() => new Runs());
  const { state, dispatch, open, openText, openSample, showEntry, showRecording, clear } = usePage(session);
  const { capture, chosen, problem, isReading, isAsking, isPasting, compared, command } = state;
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
          onAsk={() => dispatch({ type: "ask", isAsking: !isAsking })}
          onPaste={() => dispatch({ type: "paste" })}
        />
        <ThemeButton />
      </header>
      <p role="status" class={problem ? "problem page-problem" : "visually-hidden"}>
        {problem ?? (isReading ? "Reading…" : name === undefined ? "No capture is open." : `${name} is open.`)}
      </p>
      {hasSide && (
        <aside class="side" aria-label="Sources">
          {isPasting && <PasteForm onSubmit={(text) => openText("pasted text", text)} />}
          {hasEntries && <EntryList entries={capture.entries} chosen={chosen} onChoose={showEntry} />}
          {isAsking && (
            <Playground
              {...{ session, runs, command }}
              onShow={showRecording}
              onCompare={(compared) => dispatch({ type: "compare", compared })}
            />
          )}
        </aside>
      )}
      {compared && (
        <Compare
          runs={compared}
          onOpen={({ recording }) => showRecording(recording)}
          onClose={() => dispatch({ type: "uncompare" })}
        />
      )}
      {!compared && isShown && <Workspace session={session} />}
      {!compared && !isShown && <Start onSample={openSample} onAsk={() => dispatch({ type: "ask", isAsking: true })} />}
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
