import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.jsx";

const SHOWN_MS = 1500;

/**
 * A button that copies the result of `text` and shows whether this worked.
 *
 * @param {{ title: string, label?: string, text: () => string }} props
 */
export function CopyButton({ title, label, text }) {
  const [outcome, setOutcome] = useState(/** @type {"" | "Copied" | "The browser blocked copying"} */ (""));
  useEffect(() => {
    if (outcome === "") return;
    const timer = setTimeout(() => setOutcome(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setOutcome("Copied");
    } catch {
      setOutcome("The browser blocked copying");
    }
  };
  return (
    <button type="button" class={label ? "" : "quiet small"} onClick={copy} aria-label={label ? undefined : title} title={title}>
      <Icon name={outcome === "Copied" ? "check" : "copy"} />
      {label && ` ${label}`}
      <span role="status" class={outcome && outcome !== "Copied" ? "problem" : "visually-hidden"}>
        {outcome}
      </span>
    </button>
  );
}
