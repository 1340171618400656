// A tool call, whose arguments fill in while they arrive.
import { Icon } from "./icon.jsx";
import { JsonTree } from "./json-tree.jsx";

const STATUS = { complete: "complete", truncated: "cut off", invalid: "no JSON" };

export function ToolCard({ call, status, value }) {
  const { name, id, text } = call;
  const shown = status === undefined ? "arriving" : STATUS[status];
  const hasValue = typeof value === "object" && value !== null && status !== "invalid";
  return (
    <section class="tool-card" aria-label={`Tool call ${name}`}>
      <h3>
        <Icon name="tool" /> {name || "a tool"}
        <span class={`badge ${status ?? "arriving"}`}>{shown}</span>
        <span class="spacer" />
        <span class="faint id" title={id}>
          {id}
        </span>
      </h3>
      {hasValue ? (
        Object.keys(value).map((key) => (
          <JsonTree key={key} name={Array.isArray(value) ? Number(key) : key} value={value[key]} depth={1} />
        ))
      ) : (
        <pre tabIndex={0}>{text || "…"}</pre>
      )}
      {hasValue && Object.keys(value).length === 0 && <p class="faint">{status === "complete" ? "No arguments." : "…"}</p>}
      {hasValue && (
        <details class="raw-arguments">
          <summary>As text</summary>
          <pre tabIndex={0}>{text}</pre>
        </details>
      )}
    </section>
  );
}
