// A JSON value as a tree. Closed branches aren't rendered.
import { useState } from "preact/hooks";

const MOST_MEMBERS = 100;
const MOST_CHARACTERS = 300;

/**
 * @typedef {object} TreeProps
 * @property {unknown} value
 * @property {string | number | undefined} [name] a key, or the index in an array
 * @property {number} [depth]
 * @property {number} [openTo] branches above this depth start open
 * @property {(string | number)[]} [path] path to the value
 * @property {(path: (string | number)[]) => Record<string, string>} [attributes] returns the attributes of a value's element
 */

const NO_ATTRIBUTES = () => ({});

/** @param {TreeProps} props */
export function JsonTree({ value, name, depth = 0, openTo = 3, path = [], attributes = NO_ATTRIBUTES }) {
  if (typeof value === "object" && value !== null) {
    return <Branch {...{ value, name, depth, openTo, path, attributes }} />;
  }
  return (
    <div class="leaf" {...attributes(path)}>
      <Name name={name} />
      <Scalar value={value} />
    </div>
  );
}

/** @param {TreeProps & { value: object, depth: number, openTo: number } & Required<Pick<TreeProps, "path" | "attributes">>} props */
function Branch({ value, name, depth, openTo, path, attributes }) {
  const isArray = Array.isArray(value);
  const members = Object.entries(value);
  const keys = members.map(([key]) => key);
  const [isOpen, setOpen] = useState(depth < openTo && members.length <= MOST_MEMBERS);
  const [shown, setShown] = useState(MOST_MEMBERS);
  if (members.length === 0) {
    return (
      <div class="leaf" {...attributes(path)}>
        <Name name={name} />
        <span class="faint">{isArray ? "[]" : "{}"}</span>
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
        <span class="faint">{isArray ? `[ ${members.length} ]` : isOpen ? "{" : `{ ${preview(keys)} }`}</span>
      </summary>
      {isOpen && (
        <div class="members">
          {members.slice(0, shown).map(([key, member]) => (
            <JsonTree
              key={key}
              value={member}
              name={isArray ? Number(key) : key}
              depth={depth + 1}
              openTo={openTo}
              path={[...path, key]}
              attributes={attributes}
            />
          ))}
          {members.length > shown && (
            <button type="button" class="small" onClick={() => setShown(shown * 10)}>
              {(members.length - shown).toLocaleString("en")} more
            </button>
          )}
        </div>
      )}
    </details>
  );
}

/** @param {string[]} keys */
const preview = (keys) => (keys.length > 3 ? `${keys.slice(0, 3).join(", ")}, …` : keys.join(", "));

/** @param {{ name: string | number | undefined }} props */
const Name = ({ name }) => (name === undefined ? null : <span class={typeof name === "number" ? "index" : "key"}>{name}: </span>);

/** @param {{ value: unknown }} props */
function Scalar({ value }) {
  const [isWhole, setWhole] = useState(false);
  const json = value === undefined ? "undefined" : JSON.stringify(value);
  if (json.length <= MOST_CHARACTERS || isWhole) {
    return <span class={`value ${value === null ? "null" : typeof value}`}>{json}</span>;
  }
  return (
    <span class={`value ${typeof value}`}>
      {json.slice(0, MOST_CHARACTERS)}…{" "}
      <button type="button" class="small" onClick={() => setWhole(true)}>
        all {json.length.toLocaleString("en")} characters
      </button>
    </span>
  );
}
