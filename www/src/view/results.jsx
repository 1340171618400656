// The results of the recording in tabs: result, process(), chart, chunk size, other interfaces, and the exchange around
// it.
import { useState } from "preact/hooks";
import { toFixture } from "../capture/fixture.js";
import { toShare } from "../capture/share.js";
import { Answer } from "./answer.jsx";
import { Chart } from "./chart.jsx";
import { CopyButton } from "./copy-button.jsx";
import { ExchangeView } from "./exchange.jsx";
import { Icon } from "./icon.jsx";
import { JsonTree } from "./json-tree.jsx";
import { Rechunk } from "./rechunk.jsx";
import { saveFile, toFileName } from "./save-file.js";
import { Tabs } from "./tabs.jsx";
import { TranslationView } from "./translation.jsx";
import { useResult } from "./use-result.js";

/** @import { Recording } from "../session/recording.js" */
/** @import { OpenSession } from "../session/session.js" */

/** @typedef {"answer" | "result" | "process" | "chart" | "rechunk" | "translation" | "exchange"} TabId */

/** @type {{ id: TabId, title: string, View: (props: { session: OpenSession }) => import("preact").ComponentChild, isForMessages: boolean }[]} */
const TABS = [
  { id: "answer", title: "Answer", View: Answer, isForMessages: true },
  { id: "result", title: "Result", View: Result, isForMessages: true },
  { id: "process", title: "process()", View: Value, isForMessages: false },
  { id: "chart", title: "Over time", View: Chart, isForMessages: true },
  { id: "rechunk", title: "Chunk size", View: Rechunk, isForMessages: true },
  { id: "translation", title: "As …", View: TranslationView, isForMessages: true },
  { id: "exchange", title: "Exchange", View: ExchangeView, isForMessages: false },
];

/** @param {{ session: OpenSession, hasAnswer: boolean }} props `hasAnswer`: whether the answer is one of the tabs */
export function Results({ session, hasAnswer }) {
  const { recording } = session;
  const tabs = TABS.filter(({ id, isForMessages }) => (recording.hasMessage || !isForMessages) && (hasAnswer || id !== "answer"));
  const [chosen, setChosen] = useState(/** @type {TabId} */ (hasAnswer ? "answer" : "result"));
  const current = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  const { id, View } = current;
  return (
    <section class="results" aria-label="Results">
      <div class="pane-head">
        <Tabs label="Results" prefix="result" panel="result-panel" tabs={tabs} chosen={id} onChoose={setChosen} />
      </div>
      <div
        role="tabpanel"
        id="result-panel"
        class={id === "answer" ? "answer-panel" : "unbroken"}
        aria-labelledby={`result-tab-${id}`}
        {...(id !== "answer" && { tabIndex: 0 })}
      >
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
  const result = useResult(session);
  return result === undefined ? <p class="faint">Reading…</p> : <JsonTree value={result} openTo={1} />;
}

/** @param {{ session: OpenSession }} props */
function Value({ session }) {
  const { value } = session.recording;
  return value === undefined || !session.isAtEnd ? (
    <p class="faint">Available once the response is complete.</p>
  ) : (
    <JsonTree value={value} />
  );
}

/** @param {Recording} recording */
function share(recording) {
  saveFile(`${toFileName(recording.name)}.capture.json`, toShare(recording), "application/json");
}
