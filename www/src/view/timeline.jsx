// All events in their order, with the gaps between them, filtered and searched.
import { useDeferred } from "./use-deferred.js";
import { useMemo, useState } from "preact/hooks";
import { ALL_TOPICS, eventOf, kindOf, summaryOf, topicsOf } from "../capture/event.js";
import { VirtualList } from "./virtual-list.jsx";

const ROW_HEIGHT = 28;
/** A gap from which on it is worth being seen. */
const LONG_GAP_MS = 250;
const TOPIC_NAMES = {
  text: "text",
  reasoning: "reasoning",
  tools: "tools",
  ending: "usage and end",
  problems: "problems",
  other: "other",
  nothing: "nothing new",
};

export function Timeline({ session }) {
  const { recording, selected, position } = session;
  const [topic, setTopic] = useState("all");
  const [query, setQuery] = useState("");
  const wanted = useDeferred(query);
  const count = recording.frames.length;
  const shown = useMemo(() => filtered(recording, topic, wanted), [recording, count, topic, wanted]);
  const row = shown === undefined ? selected : shown.indexOf(selected);
  const at = (index) => (shown === undefined ? index : shown[index]);
  const rows = shown?.length ?? count;
  const total = count.toLocaleString("en");
  const howMany =
    shown === undefined ? `${total} event${count === 1 ? "" : "s"}` : `${rows.toLocaleString("en")} of ${total} events`;

  return (
    <section class="timeline" aria-label="Timeline">
      <div class="toolbar tight">
        <h2>Events</h2>
        <span class="faint" role="status">
          {howMany}
        </span>
        <span class="spacer" />
        <label class="field">
          <span class="visually-hidden">Which events</span>
          <select value={topic} onChange={({ target }) => setTopic(target.value)}>
            <option value="all">all events</option>
            {ALL_TOPICS.map((name) => (
              <option key={name} value={name}>
                {TOPIC_NAMES[name]}
              </option>
            ))}
          </select>
        </label>
        <label class="field grow">
          <span class="visually-hidden">Search in the raw events</span>
          <input type="search" placeholder="Search" value={query} onInput={({ target }) => setQuery(target.value)} />
        </label>
      </div>
      <VirtualList
        label="Events"
        count={rows}
        rowHeight={ROW_HEIGHT}
        selected={row}
        onSelect={(index) => session.select(at(index))}
        rowClass={(index) => `is-${[...topicsOf(recording.deltas[at(index)])][0]} ${at(index) >= position ? "ahead" : ""}`}
        render={(index) => <Row recording={recording} index={at(index)} />}
      />
      {rows === 0 && <p class="faint empty">No event fits.</p>}
    </section>
  );
}

function Row({ recording, index }) {
  const frame = recording.frames[index];
  const kind = useMemo(() => kindOf(eventOf(recording.textOf(frame))), [recording, index]);
  const gap = gapBefore(recording.frames, index);
  return (
    <>
      <span class="number">{index + 1}</span>
      {recording.isTimed && (
        <span class={gap > LONG_GAP_MS ? "gap long" : "gap"}>{gap === undefined ? "" : `+${milliseconds(gap)}`}</span>
      )}
      <span class="kind">{kind}</span>
      <span class="summary">{summaryOf(recording.deltas[index])}</span>
      <span class="bytes">{(frame.end - frame.start).toLocaleString("en")} B</span>
    </>
  );
}

/** The frames that fit; undefined for all. */
function filtered(recording, topic, query) {
  if (topic === "all" && query === "") return undefined;
  const text = query.toLowerCase();
  const found = [];
  for (const [index, frame] of recording.frames.entries()) {
    if (topic !== "all" && !topicsOf(recording.deltas[index]).has(topic)) continue;
    if (text !== "" && !recording.textOf(frame).toLowerCase().includes(text)) continue;
    found.push(index);
  }
  return found;
}

function gapBefore(frames, index) {
  const time = frames[index]?.time;
  return time === undefined ? undefined : time - (frames[index - 1]?.time ?? 0);
}

const milliseconds = (time) => (time >= 1000 ? `${(time / 1000).toFixed(2)} s` : `${Math.round(time)} ms`);
