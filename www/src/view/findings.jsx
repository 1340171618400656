// What the recording comes to, in tabs: result, process, chart, other reads.
import { useRef, useState } from "preact/hooks";
import { toFixture } from "../capture/fixture.js";
import { toShare } from "../capture/share.js";
import { Chart } from "./chart.jsx";
import { CopyButton } from "./copy-button.jsx";
import { Icon } from "./icon.jsx";
import { JsonTree } from "./json-tree.jsx";
import { Recut } from "./recut.jsx";

const TABS = [
  { id: "result", title: "Result", View: Result },
  { id: "process", title: "process()", View: Value },
  { id: "chart", title: "Over time", View: Chart },
  { id: "recut", title: "Other reads", View: Recut },
];

export function Findings({ session }) {
  const tabs = session.recording.isWithoutMessage ? TABS.slice(1, 2) : TABS;
  const [chosen, setChosen] = useState("result");
  const current = Math.max(
    tabs.findIndex(({ id }) => id === chosen),
    0,
  );
  const list = useRef();
  const move = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const next = (current + by + tabs.length) % tabs.length;
    setChosen(tabs[next].id);
    list.current.children[next].focus();
  };
  const { id, View } = tabs[current];
  return (
    <section class="findings" aria-label="What it comes to">
      <div class="toolbar tight">
        <div ref={list} role="tablist" aria-label="What it comes to" onKeyDown={move}>
          {tabs.map(({ id, title }, at) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`tab-${id}`}
              aria-selected={at === current}
              aria-controls="tab-panel"
              tabIndex={at === current ? 0 : -1}
              onClick={() => setChosen(id)}
            >
              {title}
            </button>
          ))}
        </div>
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${id}`} tabIndex={0}>
        <View session={session} />
      </div>
      <div class="toolbar actions">
        <CopyButton
          what="Copy the result as JSON"
          label="Copy as JSON"
          text={() => JSON.stringify(session.recording.result, null, 2)}
        />
        <CopyButton
          what="Copy as a case of tests/fixtures/quirks"
          label="Copy as fixture"
          text={() => toFixture(session.recording)}
        />
        <button
          type="button"
          title="Save a file with the bytes and their times, to open here again"
          onClick={() => share(session.recording)}
        >
          <Icon name="share" /> Share as file
        </button>
      </div>
    </section>
  );
}

function Result({ session }) {
  return <JsonTree value={session.recording.result} openTo={1} key={session.recording.isOver} />;
}

function Value({ session }) {
  const { value } = session.recording;
  return value === undefined ? <p class="faint">Known when the answer is over.</p> : <JsonTree value={value} />;
}

function share(recording) {
  const address = URL.createObjectURL(new Blob([toShare(recording)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${recording.name.replace(/\.json$/, "").replace(/[^\w.-]+/g, "-")}.capture.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
