// The runs of the playground: open, repeat, compare.
import { useState } from "preact/hooks";
import { plainText } from "../diagnosis/piece.js";
import { verdictOf } from "../diagnosis/verdict.js";

/** @import { Run } from "../playground/runs.js" */

/**
 * @param {object} props
 * @param {Run[]} props.runs
 * @param {(run: Run) => void} props.onOpen
 * @param {(run: Run) => void} props.onRepeat
 * @param {(runs: Run[]) => void} props.onCompare
 */
export function RunList({ runs, onOpen, onRepeat, onCompare }) {
  const [chosen, setChosen] = useState(/** @type {number[]} */ ([]));
  if (runs.length === 0) return null;
  const compared = runs.filter(({ number }) => chosen.includes(number)).reverse();
  /** @param {number} number */
  const toggle = (number) =>
    setChosen(chosen.includes(number) ? chosen.filter((other) => other !== number) : [...chosen, number].slice(-2));
  return (
    <section class="runs" aria-label="Runs">
      <div class="toolbar tight">
        <h2>Runs of this session</h2>
        <span class="spacer" />
        <button type="button" class="small" disabled={compared.length !== 2} onClick={() => onCompare(compared)}>
          Compare
        </button>
      </div>
      <ul>
        {runs.map((run) => (
          <li key={run.number}>
            <label class="toggle" title="Choose two runs to compare">
              <input type="checkbox" checked={chosen.includes(run.number)} onChange={() => toggle(run.number)} />
              <span class="visually-hidden">Compare run {run.number}</span>
            </label>
            <button type="button" class="link" onClick={() => onOpen(run)}>
              {run.number} · {run.title}
            </button>
            <button type="button" class="small quiet" aria-label={`Repeat run ${run.number}`} onClick={() => onRepeat(run)}>
              Repeat
            </button>
            <p class="faint">{plainText(verdictOf(run.recording).title)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
