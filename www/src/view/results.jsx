// What the recording adds up to, in tabs: result, process(), chart, chunk size.
import { useRef, useState } from "preact/hooks";
import { toFixture } from "../capture/fixture.js";
import { toShare } from "../capture/share.js";
import { Chart } from "./chart.jsx";
import { CopyButton } from "./copy-button.jsx";
import { Icon } from "./icon.jsx";
import { JsonTree } from "./json-tree.jsx";
import { Rechunk } from "./rechunk.jsx";

/** @import { Recording } from "../session/recording.js" */
/** @import { OpenSession } from "../session/session.js" */

const TABS = [
  { id: "result", title: "Result", View: Result, isForMessages: true },
  { id: "process", title: "process()", View: Value, isForMessages: false },
  { id: "chart", title: "Over time", View: Chart, isForMessages: true },
  { id: "rechunk", title: "Chunk size", View: Rechunk, isForMessages: true },
];

/** @param {{ session: OpenSession }} props */
export function Results({ session }) {
  const { recording } = session;
  const tabs = TABS.filter(({ isForMessages }) => recording.hasMessage || !isForMessages);
  const [chosen, setChosen] = useState("result");
  const current = Math.max(
    tabs.findIndex((tab) => tab.id === chosen),
    0,
  );
  const tablist = useRef(/** @type {HTMLDivElement | null} */ (null));
  /** @param {KeyboardEvent} event */
  const move = ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const next = (current + step + tabs.length) % tabs.length;
    setChosen(tabs[next].id);
    /** @type {HTMLElement | undefined} */ (tablist.current?.children[next])?.focus();
  };
  const { id, View } = tabs[current];
  return (
    <section class="results" aria-label="Results">
      <div class="toolbar tight">
        <div ref={tablist} role="tablist" aria-label="Results" onKeyDown={move}>
          {tabs.map((tab, index) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`tab-${tab.id}`}
              aria-selected={index === current}
              aria-controls="tab-panel"
              tabIndex={index === current ? 0 : -1}
              onClick={() => setChosen(tab.id)}
            >
              {tab.title}
            </button>
          ))}
        </div>
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${id}`} tabIndex={0}>
        <View session={session} />
      </div>
      <div class="toolbar actions">
        <CopyButton title="Copy the result as JSON" label="Copy as JSON" text={() => JSON.stringify(recording.result, null, 2)} />
        <CopyButton
          title="Copy as a test case for tests/fixtures/quirks"
          label="Copy as fixture"
          text={() => toFixture(recording)}
        />
        <button type="button" title="Save the bytes and their times, to open here again" onClick={() => share(recording)}>
          <Icon name="share" /> Share as file
        </button>
      </div>
    </section>
  );
}

/** @param {{ session: OpenSession }} props */
function Result({ session }) {
  return <JsonTree value={session.recording.result} openTo={1} key={String(session.recording.isFinished)} />;
}

/** @param {{ session: OpenSession }} props */
function Value({ session }) {
  const { value } = session.recording;
  return value === undefined ? <p class="faint">Available once the response is complete.</p> : <JsonTree value={value} />;
}

/** @param {Recording} recording */
function share(recording) {
  const url = URL.createObjectURL(new Blob([toShare(recording)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${recording.name.replace(/\.json$/, "").replace(/[^\w.-]+/g, "-")}.capture.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
