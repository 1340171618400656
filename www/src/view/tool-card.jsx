// A tool call. Its arguments fill in while they arrive.
import { Icon } from "./icon.jsx";
import { JsonTree } from "./json-tree.jsx";

/** @import { ToolCallStatus } from "respool" */
/** @import { Call } from "../session/transcript.js" */

/** @type {Record<ToolCallStatus, string>} */
const STATUS = { complete: "complete", truncated: "truncated", invalid: "invalid JSON" };

/** @param {{ call: Call, status: ToolCallStatus | undefined, value: unknown }} props `value`: the arguments so far */
export function ToolCard({ call, status, value }) {
  const { name, id, text } = call;
  const isTree = typeof value === "object" && value !== null && status !== "invalid";
  return (
    <section class="tool-card" aria-label={`Tool call ${name}`}>
      <h3>
        <Icon name="tool" /> {name || "unnamed tool"}
        <span class={`badge ${status ?? "arriving"}`}>{status === undefined ? "arriving" : STATUS[status]}</span>
        <span class="spacer" />
        <span class="faint id" title={id}>
          {id}
        </span>
      </h3>
      {isTree ? (
        <>
          <Arguments value={value} isComplete={status === "complete"} />
          <details class="raw-arguments">
            <summary>As text</summary>
            <pre tabIndex={0}>{text}</pre>
          </details>
        </>
      ) : (
        <pre tabIndex={0}>{text || "…"}</pre>
      )}
    </section>
  );
}

/** @param {{ value: object, isComplete: boolean }} props */
function Arguments({ value, isComplete }) {
  const members = Object.entries(value);
  if (members.length === 0) return <p class="faint">{isComplete ? "No arguments." : "…"}</p>;
  return members.map(([key, member]) => (
    <JsonTree key={key} name={Array.isArray(value) ? Number(key) : key} value={member} depth={1} />
  ));
}
