// One event: its data, its raw bytes and its deltas, side by side if there is room.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { kindOf, parseEvent } from "../capture/event.js";
import { formatTime } from "../diagnosis/piece.js";
import { CopyButton } from "./copy-button.jsx";
import { JsonTree } from "./json-tree.jsx";
import { RawBytes } from "./raw-bytes.jsx";
import { shorten } from "./shorten.js";
import { Tabs } from "./tabs.jsx";
import { useMedia } from "./use-media.js";
import { useThrottled } from "./use-throttled.js";

/** @import { Delta } from "respool" */
/** @import { FrameEvent } from "../capture/event.js" */
/** @import { Recording } from "../session/recording.js" */
/** @import { OpenSession } from "../session/session.js" */

/** @typedef {"data" | "raw" | "deltas"} View */

/** @type {{ id: View, title: string }[]} */
const VIEWS = [
  { id: "data", title: "Data" },
  { id: "raw", title: "Raw bytes" },
  { id: "deltas", title: "What it added" },
];

/** @param {{ session: OpenSession }} props */
export function EventDetail({ session }) {
  const { recording, marked } = session;
  const selected = useThrottled(session.selected, session.isPlaying);
  const count = recording.deltas[selected]?.length;
  // The same element isn't compared again: during a replay, the page changes in each frame.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the last event may get more deltas
  return useMemo(() => <Detail {...{ recording, selected, marked }} />, [recording, selected, marked, count]);
}

/** @param {{ recording: Recording, selected: number, marked: OpenSession["marked"] }} props */
function Detail({ recording, selected, marked }) {
  const isWide = useMedia("(min-width: 94rem)");
  const [view, setView] = useState(/** @type {View} */ ("data"));
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const frame = recording.frames[selected];
  const bytes = frame && recording.bytesOf(frame);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the frame stands for its bytes
  const event = useMemo(() => bytes && parseEvent(bytes), [recording, frame]);
  // The bytes that the verdict links to are only visible in the raw view.
  useLayoutEffect(() => {
    if (marked) setView("raw");
  }, [marked]);
  if (!frame || !event || !bytes) {
    return (
      <section class="event-detail is-empty" aria-label="Event">
        <p class="faint hint">
          Select an event, or click a word of the answer, to see the event’s data, its bytes and what it added.
        </p>
      </section>
    );
  }
  return (
    <section ref={element} class="event-detail" aria-label={`Event ${selected + 1}`}>
      <div class="toolbar tight pane-head">
        <h2>Event {selected + 1}</h2>
        <span class="faint kind">{kindOf(event)}</span>
        {frame.time !== undefined && <span class="faint">at {formatTime(frame.time)}</span>}
        <span class="spacer" />
        {!isWide && <Tabs label="Event" prefix="event" panel="event-panel" tabs={VIEWS} chosen={view} onChoose={setView} />}
        <CopyButton title="Copy the raw event" text={() => recording.textOf(frame)} />
      </div>
      <div class={isWide ? "columns" : "columns single"}>
        {VIEWS.filter(({ id }) => isWide || id === view).map(({ id, title }) => (
          <div
            key={id}
            class={`column unbroken ${id}`}
            tabIndex={0}
            {...(isWide
              ? { role: "group", "aria-label": title }
              : { role: "tabpanel", id: "event-panel", "aria-labelledby": `event-tab-${id}` })}
          >
            {isWide && <h3>{title}</h3>}
            {id === "data" && <Data event={event} />}
            {id === "raw" && (
              <RawBytes bytes={bytes} start={frame.start} marked={marked} isBinary={recording.framing === "messages"} />
            )}
            {id === "deltas" && <Deltas recording={recording} index={selected} />}
          </div>
        ))}
      </div>
    </section>
  );
}

/** @param {{ event: FrameEvent }} props */
function Data({ event: { headers, isJson, value, data } }) {
  return (
    <>
      {headers && <JsonTree name="headers" value={headers} openTo={0} />}
      {isJson ? (
        <JsonTree value={value} openTo={8} />
      ) : (
        <pre>{data === "" ? "No data: a comment, or only stream fields such as id or retry." : shorten(data)}</pre>
      )}
    </>
  );
}

/** @param {{ recording: Recording, index: number }} props */
function Deltas({ recording, index }) {
  const deltas = /** @type {Delta[]} */ (recording.deltas[index]);
  if (deltas.length === 0) return <p class="faint">This event adds nothing to the response.</p>;
  return (
    <>
      {deltas.map((delta, number) => (
        <JsonTree key={number} value={delta} />
      ))}
    </>
  );
}
