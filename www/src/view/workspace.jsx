// The open recording: the verdict, the replay, and panes that scroll on their own. On small screens one pane is shown at
// a time.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Answer } from "./answer.jsx";
import { EventDetail } from "./event-detail.jsx";
import { Facts } from "./facts.jsx";
import { Player } from "./player.jsx";
import { Results } from "./results.jsx";
import { Splitter } from "./splitter.jsx";
import { Tabs } from "./tabs.jsx";
import { Timeline } from "./timeline.jsx";
import { useMedia } from "./use-media.js";
import { INITIAL_SIZES, useSizes } from "./use-sizes.js";
import { Verdict } from "./verdict.jsx";

/** @import { Piece } from "../diagnosis/piece.js" */
/** @import { OpenSession } from "../session/session.js" */

/** @typedef {"verdict" | "events" | "answer" | "result"} PaneId */

/** @type {{ id: PaneId, title: string }[]} */
const PANES = [
  { id: "verdict", title: "Verdict" },
  { id: "events", title: "Events" },
  { id: "answer", title: "Answer" },
  { id: "result", title: "Result" },
];

/**
 * Returns the pane that a small screen shows, and a function that shows the event of a verdict's piece.
 *
 * @param {OpenSession} session
 * @param {{ current: HTMLElement | null }} element
 * @param {boolean} isSmall
 */
function usePanes(session, element, isSmall) {
  const [pane, setPane] = useState(/** @type {PaneId} */ ("verdict"));
  const follow = useCallback(
    /** @param {Piece} piece */
    ({ frame, bytes }) => {
      if (frame === undefined) return;
      session.select(frame, bytes);
      if (!isSmall) return;
      // The pressed button disappears with its tab, so the focus moves to the event list.
      setPane("events");
      requestAnimationFrame(() => {
        const list = /** @type {HTMLElement | null | undefined} */ (element.current?.querySelector(".timeline [role=listbox]"));
        list?.focus({ preventScroll: true });
      });
    },
    [session, element, isSmall],
  );
  return { pane, setPane, follow };
}

/** @param {{ session: OpenSession }} props */
export function Workspace({ session }) {
  const isSmall = useMedia("(max-width: 60rem)");
  const isWide = useMedia("(min-width: 94rem)");
  const [sizes, setSize] = useSizes();
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const { pane, setPane, follow } = usePanes(session, element, isSmall);
  const { recording } = session;

  const left = isWide ? "wideEvents" : "events";

  useEffect(() => {
    element.current?.style.setProperty("--events", `${sizes[left]}%`);
    element.current?.style.setProperty("--answer", `${sizes.wideAnswer}%`);
    element.current?.style.setProperty("--upper", `${sizes.upper}%`);
  }, [sizes, left]);

  /** @param {PaneId} id */
  const isHidden = (id) => isSmall && pane !== id;
  /** @param {PaneId} id */
  const panel = (id) => (isSmall ? /** @type {const} */ ({ role: "tabpanel", "aria-labelledby": `pane-tab-${id}` }) : {});
  const hasEvents = recording.frames.length > 1;

  return (
    <main
      ref={element}
      class={`workspace ${isSmall ? "small" : isWide ? "wide" : "medium"} ${session.selected < 0 ? "is-unselected" : ""}`}
    >
      {isSmall && <Tabs label="Panes" prefix="pane" tabs={PANES} chosen={pane} onChoose={setPane} />}
      <div id="pane-verdict" class="summary-pane" hidden={isHidden("verdict")} {...panel("verdict")}>
        <Verdict session={session} onFollow={follow} />
        <Facts session={session} />
      </div>
      {hasEvents && <Player session={session} />}
      <div class="panes">
        <div class="upper">
          <div id="pane-events" class="pane events" hidden={isHidden("events")} {...panel("events")}>
            <Timeline session={session} />
            {isSmall && <EventDetail session={session} />}
          </div>
          {!isSmall && (
            <Splitter
              label="Width of the events"
              orientation="vertical"
              controls="pane-events"
              value={sizes[left]}
              initial={INITIAL_SIZES[left]}
              max={isWide ? sizes.wideAnswer - 10 : 75}
              onMove={(size) => setSize(left, size)}
            />
          )}
          {(isSmall || isWide) && (
            <div id="pane-answer" class="pane answers" hidden={isHidden("answer")} {...panel("answer")}>
              <Answer session={session} />
            </div>
          )}
          {isWide && (
            <Splitter
              label="Width of the answer"
              orientation="vertical"
              controls="pane-answer"
              value={sizes.wideAnswer}
              initial={INITIAL_SIZES.wideAnswer}
              min={sizes.wideEvents + 10}
              max={85}
              onMove={(size) => setSize("wideAnswer", size)}
            />
          )}
          <div id="pane-result" class="pane outcome" hidden={isHidden("result")} {...panel("result")}>
            <Results session={session} hasAnswer={!isSmall && !isWide} />
          </div>
        </div>
        {!isSmall && (
          <>
            {session.selected >= 0 && (
              <Splitter
                label="Height of the event"
                orientation="horizontal"
                controls="pane-events"
                value={sizes.upper}
                initial={INITIAL_SIZES.upper}
                min={25}
                max={85}
                onMove={(size) => setSize("upper", size)}
              />
            )}
            <div class="lower">
              <EventDetail session={session} />
            </div>
          </>
        )}
      </div>
    </main>
  );
}
