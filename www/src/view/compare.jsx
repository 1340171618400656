// Two runs of the playground, side by side.
import { useMemo } from "preact/hooks";
import { plainText } from "../diagnosis/piece.js";
import { verdictOf } from "../diagnosis/verdict.js";
import { Transcript } from "../session/transcript.js";
import { Choice } from "./answer.jsx";
import { Icon } from "./icon.jsx";

/** @import { Run } from "../playground/runs.js" */
/** @import { Call } from "../session/transcript.js" */

/** @param {{ runs: Run[], onOpen: (run: Run) => void, onClose: () => void }} props */
export const Compare = ({ runs, onOpen, onClose }) => (
  <main class="compare">
    <div class="toolbar">
      <h2>Side by side</h2>
      <span class="spacer" />
      <button type="button" onClick={onClose}>
        <Icon name="close" /> Close
      </button>
    </div>
    <div class="sides">
      {runs.map((run) => (
        <Side key={run.number} run={run} onOpen={onOpen} />
      ))}
    </div>
  </main>
);

/** @param {{ run: Run, onOpen: (run: Run) => void }} props */
function Side({ run, onOpen }) {
  const { recording, number, title } = run;
  const count = recording.frames.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the deltas grow in place, so their count tells when they changed
  const transcript = useMemo(() => {
    const whole = new Transcript(recording);
    for (const deltas of recording.deltas) whole.advance(deltas);
    return whole;
  }, [recording, count, recording.isFinished]);
  const verdict = verdictOf(recording);
  const { usage, toolCalls, toolCallStatus } = recording.result;
  /** @param {Call} call */
  const statusOf = ({ id, status }) => status ?? toolCallStatus[toolCalls.findIndex((call) => call.id === id)];
  const time = recording.frames.at(-1)?.time;
  return (
    <section class="side-run" aria-label={`Run ${number}`}>
      <h3>
        <button type="button" class="link" onClick={() => onOpen(run)}>
          {number} · {title}
        </button>
      </h3>
      <p class={`verdict is-${verdict.tone}`}>{plainText(verdict.title)}</p>
      <dl class="numbers">
        {[
          ["time", time === undefined ? "–" : `${(time / 1000).toFixed(2)} s`],
          ["events", count.toLocaleString("en")],
          ["input tokens", usage?.inputTokens?.toLocaleString("en") ?? "–"],
          ["output tokens", usage?.outputTokens?.toLocaleString("en") ?? "–"],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="scroller" tabIndex={0}>
        {transcript.choices.map((choice) => (
          <Choice key={choice.index} {...{ choice, transcript, isMarkdown: true, statusOf }} />
        ))}
        {transcript.choices.length === 0 && <p class="faint">No answer.</p>}
      </div>
    </section>
  );
}
