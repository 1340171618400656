import { useEffect, useRef, useState } from "preact/hooks";

const SHOWN_MS = 120;

/**
 * Returns the value, changing at most every {@link SHOWN_MS} while `isThrottled`.
 *
 * @template T
 * @param {T} value
 * @param {boolean} isThrottled
 * @returns {T}
 */
export function useThrottled(value, isThrottled) {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    if (!isThrottled) return;
    const timer = setInterval(() => setShown(latest.current), SHOWN_MS);
    return () => clearInterval(timer);
  }, [isThrottled]);
  return isThrottled ? shown : value;
}
