import { checked } from "./checked.js";

/** A proxy that was revoked cannot even be asked whether it is a promise. */
const askForThen = checked((value) => value?.then, "the value", "invalid-source");

/** Waits for what a user hands over, which may be a promise: what that rejects with is the user's own. */
export async function arrived(value, signal) {
  askForThen(value);
  return orAbort(value, signal);
}

/** Waits for a value, or for the signal. */
export function orAbort(value, signal) {
  if (!signal) return value;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
