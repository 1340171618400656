// A form for the results of a run's calls, to continue the conversation.
import { useState } from "preact/hooks";
import { Icon } from "./icon.jsx";

/** @import { ToolCall } from "respool" */

/** @param {{ calls: ToolCall[], onSend: (results: string[]) => void }} props */
export function ToolResults({ calls, onSend }) {
  const [results, setResults] = useState(/** @type {string[]} */ ([]));
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    onSend(calls.map((_, index) => results[index] ?? ""));
  };
  return (
    <form class="tool-results" aria-label="Tool results" onSubmit={submit}>
      <h2>The model waits for results</h2>
      {calls.map(({ id, name, arguments: given }, index) => (
        <label key={id} class="field">
          <span>
            Result of <code>{name}</code> <code class="faint">{given.slice(0, 80)}</code>
          </span>
          <textarea
            rows={2}
            spellcheck={false}
            value={results[index] ?? ""}
            onInput={({ currentTarget: { value } }) => {
              const changed = [...results];
              changed[index] = value;
              setResults(changed);
            }}
          />
        </label>
      ))}
      <button type="submit">
        <Icon name="send" /> Send the results
      </button>
    </form>
  );
}
