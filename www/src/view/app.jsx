// The page: the open capture and the views of it.
import { useCallback, useEffect, useState } from "preact/hooks";
import { CaptureError, openCapture } from "../capture/capture.js";
import { Recording } from "../session/recording.js";
import { isOpen } from "../session/session.js";
import { Answer } from "./answer.jsx";
import { EventDetail } from "./event-detail.jsx";
import { Facts } from "./facts.jsx";
import { Player } from "./player.jsx";
import { Playground } from "./playground.jsx";
import { Results } from "./results.jsx";
import { Source } from "./source.jsx";
import { ThemeButton } from "./theme.jsx";
import { Timeline } from "./timeline.jsx";
import { useDrop } from "./use-drop.js";
import { useSession } from "./use-session.js";

/** @import { Capture, Entry } from "../capture/capture.js" */
/** @import { Session } from "../session/session.js" */

/** @typedef {Capture & { name: string }} NamedCapture */

/** @param {{ session: Session }} props */
export function App({ session }) {
  useSession(session);
  const [capture, setCapture] = useState(/** @type {NamedCapture | undefined} */ (undefined));
  const [chosen, setChosen] = useState(0);
  const [problem, setProblem] = useState(/** @type {string | undefined} */ (undefined));
  const [isReading, setReading] = useState(false);
  const [isAsking, setAsking] = useState(false);

  const showEntry = useCallback(
    /** @param {Entry} entry @param {number} index */
    async (entry, index) => {
      setChosen(index);
      setReading(true);
      try {
        session.show(await Recording.of(entry.name, entry.chunks));
      } finally {
        setReading(false);
      }
    },
    [session],
  );
  const open = useCallback(
    /** @param {string} name @param {Uint8Array<ArrayBuffer>} bytes */
    async (name, bytes) => {
      setProblem(undefined);
      try {
        const opened = await openCapture(name, bytes);
        setCapture({ ...opened, name });
        await showEntry(opened.entries[0], 0);
      } catch (error) {
        if (!(error instanceof CaptureError)) throw error;
        setProblem(error.message);
      }
    },
    [showEntry],
  );
  const clear = useCallback(() => {
    setCapture(undefined);
    setProblem(undefined);
    session.clear();
  }, [session]);
  const showLive = useCallback(
    /** @param {Recording} recording */
    (recording) => {
      setCapture(undefined);
      setProblem(undefined);
      session.show(recording);
    },
    [session],
  );
  const isDropping = useDrop(open);
  const name = session.recording?.name;
  useEffect(() => {
    document.title = name === undefined ? "respool inspector" : `${name} – respool inspector`;
  }, [name]);

  return (
    <div class={isDropping ? "page dropping" : "page"}>
      <header class="masthead">
        <h1>
          respool <span>inspector</span>
        </h1>
        <p>See what a model really sent. Captures you open never leave this page.</p>
        <ThemeButton />
      </header>
      <Source
        {...{ session, capture, chosen, isAsking, problem, isReading }}
        onOpen={open}
        onChoose={showEntry}
        onClear={clear}
        onAsk={() => setAsking(!isAsking)}
      />
      {isAsking && <Playground session={session} onLive={showLive} />}
      {isOpen(session) && (
        <>
          <Player session={session} />
          <main class="panes">
            <div class="pane events">
              <Timeline session={session} />
              <EventDetail session={session} />
            </div>
            <div class="pane outcome">
              <Facts session={session} />
              <Answer session={session} />
              <Results session={session} />
            </div>
          </main>
        </>
      )}
      <footer class="colophon">
        <p>
          respool runs in this page as WebAssembly and works offline once loaded. Only the playground makes requests, to the
          server you name. <a href="./dist/LICENCES.txt">Licences</a>
        </p>
      </footer>
    </div>
  );
}
