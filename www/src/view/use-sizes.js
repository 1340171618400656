import { useState } from "preact/hooks";

const KEY = "respool-panes";

/** The initial positions of the splitters, in percent. */
export const INITIAL_SIZES = { events: 42, wideEvents: 36, wideAnswer: 70, upper: 62 };

/** @typedef {typeof INITIAL_SIZES} Sizes */

/** @returns {Sizes} */
function stored() {
  try {
    const sizes = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const valid = Object.entries(sizes).filter(([name, size]) => name in INITIAL_SIZES && size >= 15 && size <= 85);
    return { ...INITIAL_SIZES, ...Object.fromEntries(valid) };
  } catch {
    return INITIAL_SIZES; // storage is blocked, or contains something else
  }
}

/**
 * Returns the sizes of the panes, and a function to change one.
 *
 * @returns {[Sizes, (name: keyof Sizes, size: number) => void]}
 */
export function useSizes() {
  const [sizes, setSizes] = useState(stored);
  return [
    sizes,
    (name, size) => {
      const changed = { ...sizes, [name]: size };
      setSizes(changed);
      try {
        localStorage.setItem(KEY, JSON.stringify(changed));
      } catch {
        // Storage is blocked: the sizes last until the page is left.
      }
    },
  ];
}
