import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.jsx";

const SHOWN_MS = 1500;

/** Copies what `text` gives, and says so. */
export function CopyButton({ what, label, text }) {
  const [outcome, setOutcome] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setOutcome(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setOutcome("Copied");
    } catch {
      setOutcome("The browser did not allow it");
    }
  };
  return (
    <button type="button" class={label ? "" : "quiet small"} onClick={copy} aria-label={label ? undefined : what} title={what}>
      <Icon name={outcome === "Copied" ? "check" : "copy"} />
      {label && ` ${label}`}
      <span role="status" class={outcome && outcome !== "Copied" ? "trouble" : "visually-hidden"}>
        {outcome}
      </span>
    </button>
  );
}
