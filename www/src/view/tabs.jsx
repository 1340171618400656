// A list of tabs with arrow key navigation.
import { useRef } from "preact/hooks";

/**
 * @template {string} Id
 * @param {object} props
 * @param {string} props.label
 * @param {string} props.prefix prefix of the ids: a tab is `prefix-tab-id`, its panel `prefix-id`
 * @param {string} [props.panel] the id of the panel, if all tabs share one
 * @param {{ id: Id, title: string }[]} props.tabs
 * @param {Id} props.chosen
 * @param {(id: Id) => void} props.onChoose
 */
export function Tabs({ label, prefix, panel, tabs, chosen, onChoose }) {
  const list = useRef(/** @type {HTMLDivElement | null} */ (null));
  /** @param {KeyboardEvent} event */
  const move = (event) => {
    const current = tabs.findIndex(({ id }) => id === chosen);
    const next = {
      ArrowRight: (current + 1) % tabs.length,
      ArrowLeft: (current + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(tabs[next].id);
    /** @type {HTMLElement | undefined} */ (list.current?.children[next])?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${prefix}-tab-${id}`}
          aria-selected={id === chosen}
          aria-controls={panel ?? `${prefix}-${id}`}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
