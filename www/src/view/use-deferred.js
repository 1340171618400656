import { useEffect, useState } from "preact/hooks";

const REST_MS = 150;

/** A value as it is once it rests: what is typed is not searched for at each letter. */
export function useDeferred(value) {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
