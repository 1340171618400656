// A tool call. Its arguments fill in while they arrive.
import { pathKey } from "../session/provenance.js";
import { Icon } from "./icon.jsx";
import { JsonTree } from "./json-tree.jsx";

/** @import { ToolCallStatus } from "respool" */
/** @import { Call } from "../session/transcript.js" */

/** @type {Record<ToolCallStatus, string>} */
const STATUS = { complete: "complete", truncated: "truncated", invalid: "invalid JSON" };

/**
 * @param {object} props
 * @param {Call} props.call
 * @param {string} props.stream the key of the arguments in the provenance
 * @param {ToolCallStatus | undefined} props.status
 * @param {unknown} props.value the arguments so far
 */
export function ToolCard({ call, stream, status, value }) {
  const { name, id, text } = call;
  const isTree = typeof value === "object" && value !== null && status !== "invalid";
  return (
    <section class="tool-card" aria-label={`Tool call ${name}`} data-call={stream}>
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
            <pre tabIndex={0} data-stream={stream}>
              {text}
            </pre>
          </details>
        </>
      ) : (
        <pre tabIndex={0} data-stream={stream}>
          {text || "…"}
        </pre>
      )}
    </section>
  );
}

/** @param {{ value: object, isComplete: boolean }} props */
function Arguments({ value, isComplete }) {
  const members = Object.entries(value);
  if (members.length === 0) return <p class="faint">{isComplete ? "No arguments." : "…"}</p>;
  return members.map(([key, member]) => (
    <JsonTree
      key={key}
      name={Array.isArray(value) ? Number(key) : key}
      value={member}
      depth={1}
      path={[key]}
      attributes={(path) => ({ "data-path": pathKey(path) })}
    />
  ));
}
