// A JSON value as a tree; what is closed costs nothing.
import { useState } from "preact/hooks";

const MEMBERS_SHOWN = 100;
const CHARACTERS_SHOWN = 300;

export function JsonTree({ value, name, depth = 0, openTo = 3 }) {
  if (typeof value !== "object" || value === null) {
    return (
      <div class="leaf">
        <Name name={name} />
        <Scalar value={value} />
      </div>
    );
  }
  return <Branch {...{ value, name, depth, openTo }} />;
}

function Branch({ value, name, depth, openTo }) {
  const keys = Object.keys(value);
  const [isOpen, setOpen] = useState(depth < openTo && keys.length <= MEMBERS_SHOWN);
  const [shown, setShown] = useState(MEMBERS_SHOWN);
  const isArray = Array.isArray(value);
  const [left, right] = isArray ? "[]" : "{}";
  if (keys.length === 0) {
    return (
      <div class="leaf">
        <Name name={name} />
        <span class="faint">
          {left}
          {right}
        </span>
      </div>
    );
  }
  return (
    <details
      class="branch"
      open={isOpen}
      onToggle={({ currentTarget, target }) => target === currentTarget && setOpen(currentTarget.open)}
    >
      <summary>
        <Name name={name} />
        <span class="faint">{isArray ? `[ ${keys.length} ]` : isOpen ? "{" : `{ ${preview(keys)} }`}</span>
      </summary>
      {isOpen && (
        <div class="members">
          {keys.slice(0, shown).map((key) => (
            <JsonTree key={key} value={value[key]} name={isArray ? Number(key) : key} depth={depth + 1} openTo={openTo} />
          ))}
          {keys.length > shown && (
            <button type="button" class="small" onClick={() => setShown(shown * 10)}>
              {(keys.length - shown).toLocaleString("en")} more
            </button>
          )}
        </div>
      )}
    </details>
  );
}

const preview = (keys) => (keys.length > 3 ? `${keys.slice(0, 3).join(", ")}, …` : keys.join(", "));

const Name = ({ name }) => (name === undefined ? null : <span class={typeof name === "number" ? "index" : "key"}>{name}: </span>);

function Scalar({ value }) {
  const [isWhole, setWhole] = useState(false);
  const json = value === undefined ? "undefined" : JSON.stringify(value);
  if (json.length <= CHARACTERS_SHOWN || isWhole)
    return <span class={`value ${value === null ? "null" : typeof value}`}>{json}</span>;
  return (
    <span class={`value ${typeof value}`}>
      {json.slice(0, CHARACTERS_SHOWN)}…{" "}
      <button type="button" class="small" onClick={() => setWhole(true)}>
        all {json.length.toLocaleString("en")} characters
      </button>
    </span>
  );
}
