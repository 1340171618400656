// All events in order, each with its summary, its time and the gap before it. With a filter and a search.
import { Component } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { summarise, topicsOf } from "../capture/event.js";
import { countOf, formatTime } from "../diagnosis/piece.js";
import { Legend } from "./legend.jsx";
import { useDebounced } from "./use-debounced.js";
import { VirtualList } from "./virtual-list.jsx";
import { Waterfall } from "./waterfall.jsx";

/** @import { Topic } from "../capture/event.js" */
/** @import { Recording } from "../session/recording.js" */
/** @import { Span } from "../session/provenance.js" */
/** @import { OpenSession } from "../session/session.js" */

const ROW_HEIGHT = 26;
const MOST_FOUND = 2000;
/** @type {Span[]} */
const NOTHING = [];

/** @param {{ session: OpenSession }} props */
export function Timeline({ session }) {
  const { recording, selected, position } = session;
  const [topic, setTopic] = useState(/** @type {Topic | "all"} */ ("all"));
  const [query, setQuery] = useState("");
  const search = useDebounced(query);
  const count = recording.frames.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the frames grow in place, so their count tells when they changed
  const found = useMemo(
    () => (search === "" ? NOTHING : recording.provenance.search(search, MOST_FOUND)),
    [recording, count, search],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const matches = useMemo(() => filterFrames(recording, topic, search, found), [recording, count, topic, search]);
  useEffect(() => session.find(found), [session, found]);
  const selectedRow = matches === undefined ? selected : matches.indexOf(selected);
  /** @param {number} row */
  const indexOf = (row) => (matches === undefined ? row : matches[row]);
  const rows = matches?.length ?? count;
  const total = countOf(count, "event");

  return (
    <section class="timeline" aria-label="Timeline">
      <div class="toolbar tight pane-head">
        <h2>Events</h2>
        <span class="faint" role="status" aria-live={session.isPlaying || session.isLive ? "off" : "polite"}>
          {matches === undefined ? total : `${rows.toLocaleString("en")} of ${total}`}
          {found.length > 0 && `, ${countOf(found.length, "match").replace(/matchs$/, "matches")} in the answer`}
        </span>
        <span class="spacer" />
        <label class="field grow">
          <span class="visually-hidden">Search the events and the answer</span>
          <input
            type="search"
            placeholder="Search"
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
        </label>
      </div>
      <Legend recording={recording} chosen={topic} onChoose={setTopic} />
      {recording.isTimed && <Scale recording={recording} />}
      <VirtualList
        label="Events"
        count={rows}
        rowHeight={ROW_HEIGHT}
        selected={selectedRow}
        onSelect={(row) => session.select(indexOf(row))}
        rowClass={(row) => rowClass(recording, indexOf(row), position)}
        render={(row) => <Row recording={recording} index={indexOf(row)} count={count} />}
      />
      {rows === 0 && <p class="faint empty">{count === 0 ? "No events." : "No matching events."}</p>}
    </section>
  );
}

/** The column headings. @param {{ recording: Recording }} props */
const Scale = ({ recording }) => (
  <div class="scale faint" aria-hidden="true">
    <span class="number">#</span>
    <span class="elapsed">at</span>
    <span class="track">
      <span>0</span>
      <span>{formatTime(recording.frames.at(-1)?.time ?? 0)}</span>
    </span>
    <span class="summary">adds</span>
    <span class="bytes">bytes</span>
  </div>
);

/** @param {Recording} recording @param {number} index @param {number} position */
function rowClass(recording, index, position) {
  const [topic] = topicsOf(recording.deltas[index]);
  return `is-${topic} ${index >= position ? "ahead" : ""}`;
}

/**
 * A row, which is rendered again only if the recording grows or the row shows another event.
 *
 * @extends {Component<{ recording: Recording, index: number, count: number }>}
 */
class Row extends Component {
  /** @override @param {{ recording: Recording, index: number, count: number }} next */
  shouldComponentUpdate({ recording, index, count }) {
    return recording !== this.props.recording || index !== this.props.index || count !== this.props.count;
  }

  /** @override */
  render() {
    return <Cells {...this.props} />;
  }
}

/** @param {{ recording: Recording, index: number }} props */
function Cells({ recording, index }) {
  const frame = recording.frames[index];
  const summary = summarise(recording.deltas[index]);
  return (
    <>
      <span class="number">{index + 1}</span>
      {recording.isTimed && (
        <>
          <span class="elapsed">{frame.time === undefined ? "" : formatTime(frame.time)}</span>
          <Waterfall frames={recording.frames} index={index} />
        </>
      )}
      {summary === "" ? <span class="summary faint">{recording.kindOf(index)}</span> : <span class="summary">{summary}</span>}
      <span class="bytes">{(frame.end - frame.start).toLocaleString("en")}</span>
    </>
  );
}

/**
 * Returns the indices of the matching frames, or undefined if there is no filter.
 *
 * @param {Recording} recording
 * @param {Topic | "all"} topic
 * @param {string} query
 * @param {Span[]} found matches in the assembled response
 */
function filterFrames(recording, topic, query, found) {
  if (topic === "all" && query === "") return undefined;
  const text = query.toLowerCase();
  const parts = new Set(found.flatMap((span) => recording.provenance.framesOf(span)));
  const matches = [];
  for (const [index, frame] of recording.frames.entries()) {
    if (topic !== "all" && !topicsOf(recording.deltas[index]).has(topic)) continue;
    if (text !== "" && !parts.has(index) && !recording.textOf(frame).toLowerCase().includes(text)) continue;
    matches.push(index);
  }
  return matches;
}
