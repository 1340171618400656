// All events in order with the gaps between them, with a filter and a search.
import { useMemo, useState } from "preact/hooks";
import { ALL_TOPICS, kindOf, parseEvent, summarise, topicsOf } from "../capture/event.js";
import { useDebounced } from "./use-debounced.js";
import { VirtualList } from "./virtual-list.jsx";

/** @import { Topic } from "../capture/event.js" */
/** @import { Frame, Recording } from "../session/recording.js" */
/** @import { OpenSession } from "../session/session.js" */

const ROW_HEIGHT = 28;
/** Longer gaps are highlighted. */
const LONG_GAP_MS = 250;
/** @type {Record<Topic, string>} */
const TOPIC_NAMES = {
  text: "text",
  reasoning: "reasoning",
  tools: "tools",
  ending: "usage and finish",
  problems: "problems",
  other: "other",
  nothing: "no deltas",
};

/** @param {{ session: OpenSession }} props */
export function Timeline({ session }) {
  const { recording, selected, position } = session;
  const [topic, setTopic] = useState(/** @type {Topic | "all"} */ ("all"));
  const [query, setQuery] = useState("");
  const search = useDebounced(query);
  const count = recording.frames.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the frames grow in place, so their count tells when they changed
  const matches = useMemo(() => filterFrames(recording, topic, search), [recording, count, topic, search]);
  const selectedRow = matches === undefined ? selected : matches.indexOf(selected);
  /** @param {number} row */
  const indexOf = (row) => (matches === undefined ? row : matches[row]);
  const rows = matches?.length ?? count;
  const total = `${count.toLocaleString("en")} event${count === 1 ? "" : "s"}`;

  return (
    <section class="timeline" aria-label="Timeline">
      <div class="toolbar tight">
        <h2>Events</h2>
        <span class="faint" role="status">
          {matches === undefined ? total : `${rows.toLocaleString("en")} of ${total}`}
        </span>
        <span class="spacer" />
        <label class="field">
          <span class="visually-hidden">Filter</span>
          <select value={topic} onChange={({ currentTarget }) => setTopic(/** @type {Topic | "all"} */ (currentTarget.value))}>
            <option value="all">all events</option>
            {ALL_TOPICS.map((name) => (
              <option key={name} value={name}>
                {TOPIC_NAMES[name]}
              </option>
            ))}
          </select>
        </label>
        <label class="field grow">
          <span class="visually-hidden">Search the raw events</span>
          <input
            type="search"
            placeholder="Search"
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
        </label>
      </div>
      <VirtualList
        label="Events"
        count={rows}
        rowHeight={ROW_HEIGHT}
        selected={selectedRow}
        onSelect={(row) => session.select(indexOf(row))}
        rowClass={(row) => rowClass(recording, indexOf(row), position)}
        render={(row) => <Row recording={recording} index={indexOf(row)} />}
      />
      {rows === 0 && <p class="faint empty">No matching events.</p>}
    </section>
  );
}

/** @param {Recording} recording @param {number} index @param {number} position */
function rowClass(recording, index, position) {
  const [topic] = topicsOf(recording.deltas[index]);
  return `is-${topic} ${index >= position ? "ahead" : ""}`;
}

/** @param {{ recording: Recording, index: number }} props */
function Row({ recording, index }) {
  const frame = recording.frames[index];
  const kind = useMemo(() => kindOf(parseEvent(recording.textOf(frame))), [recording, frame]);
  return (
    <>
      <span class="number">{index + 1}</span>
      {recording.isTimed && <Gap milliseconds={gapBefore(recording.frames, index)} />}
      <span class="kind">{kind}</span>
      <span class="summary">{summarise(recording.deltas[index])}</span>
      <span class="bytes">{(frame.end - frame.start).toLocaleString("en")} B</span>
    </>
  );
}

/** @param {{ milliseconds: number | undefined }} props */
function Gap({ milliseconds }) {
  if (milliseconds === undefined) return <span class="gap" />;
  return <span class={milliseconds > LONG_GAP_MS ? "gap long" : "gap"}>+{formatTime(milliseconds)}</span>;
}

/**
 * The indices of the matching frames, or undefined if there is no filter.
 *
 * @param {Recording} recording
 * @param {Topic | "all"} topic
 * @param {string} query
 */
function filterFrames(recording, topic, query) {
  if (topic === "all" && query === "") return undefined;
  const text = query.toLowerCase();
  const matches = [];
  for (const [index, frame] of recording.frames.entries()) {
    if (topic !== "all" && !topicsOf(recording.deltas[index]).has(topic)) continue;
    if (text !== "" && !recording.textOf(frame).toLowerCase().includes(text)) continue;
    matches.push(index);
  }
  return matches;
}

/** @param {Frame[]} frames @param {number} index */
function gapBefore(frames, index) {
  const time = frames[index].time;
  return time === undefined ? undefined : time - (frames[index - 1]?.time ?? 0);
}

/** @param {number} milliseconds */
const formatTime = (milliseconds) =>
  milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(2)} s` : `${Math.round(milliseconds)} ms`;
