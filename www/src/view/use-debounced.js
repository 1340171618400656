import { useEffect, useState } from "preact/hooks";

const DELAY_MS = 150;

/**
 * Returns the value once it has stopped changing, so that a search doesn't run at each keystroke.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function useDebounced(value) {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
