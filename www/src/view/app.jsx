// The page as a whole: where a capture comes from, and what is shown of it.
import { useCallback, useEffect, useState } from "preact/hooks";
import { CaptureError, openCapture } from "../capture/capture.js";
import { Recording } from "../session/recording.js";
import { Answer } from "./answer.jsx";
import { EventDetail } from "./event-detail.jsx";
import { Facts } from "./facts.jsx";
import { Findings } from "./findings.jsx";
import { Player } from "./player.jsx";
import { Playground } from "./playground.jsx";
import { Source } from "./source.jsx";
import { ThemeButton } from "./theme.jsx";
import { Timeline } from "./timeline.jsx";
import { useDrop } from "./use-drop.js";
import { useSession } from "./use-session.js";

export function App({ session }) {
  useSession(session);
  const [capture, setCapture] = useState();
  const [chosen, setChosen] = useState(0);
  const [trouble, setTrouble] = useState();
  const [isReading, setReading] = useState(false);
  const [isAsking, setAsking] = useState(false);

  const showEntry = useCallback(
    async (entry, number) => {
      setChosen(number);
      setReading(true);
      try {
        session.show(await Recording.of(entry.name, entry.reads));
      } finally {
        setReading(false);
      }
    },
    [session],
  );
  const open = useCallback(
    async (name, bytes) => {
      setTrouble(undefined);
      try {
        const opened = await openCapture(name, bytes);
        setCapture({ ...opened, name });
        await showEntry(opened.entries[0], 0);
      } catch (error) {
        if (!(error instanceof CaptureError)) throw error;
        setTrouble(error.message);
      }
    },
    [showEntry],
  );
  const clear = useCallback(() => {
    setCapture(undefined);
    setTrouble(undefined);
    session.clear();
  }, [session]);
  const live = useCallback(
    (recording) => {
      setCapture(undefined);
      setTrouble(undefined);
      session.show(recording);
    },
    [session],
  );
  const isDropping = useDrop(open);
  useEffect(() => {
    document.title = session.recording ? `${session.recording.name} – respool inspector` : "respool inspector";
  }, [session.recording?.name]);

  return (
    <div class={isDropping ? "page dropping" : "page"}>
      <header class="masthead">
        <h1>
          respool <span>inspector</span>
        </h1>
        <p>What a model really sent. Nothing that you open here leaves the page.</p>
        <ThemeButton />
      </header>
      <Source
        {...{ session, capture, chosen, isAsking, trouble, isReading }}
        onOpen={open}
        onChoose={showEntry}
        onClear={clear}
        onAsk={() => setAsking(!isAsking)}
      />
      {isAsking && <Playground session={session} onLive={live} />}
      {session.recording && (
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
              <Findings session={session} />
            </div>
          </main>
        </>
      )}
      <footer class="colophon">
        <p>
          Runs in this page on respool’s WebAssembly, offline once it is loaded. Only the playground makes requests, to the server
          you name. <a href="./dist/LICENCES.txt">Licences</a>
        </p>
      </footer>
    </div>
  );
}
