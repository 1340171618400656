import { checked } from "./checked.js";

/** A revoked proxy throws even when `then` is read. */
const checkThenable = checked(
  (/** @type {{ then?: unknown } | null | undefined} */ value) => value?.then,
  "The value",
  "invalid-source",
);

/**
 * Awaits a value that the user passed, which may be a promise. A rejection is the user's own and is thrown unchanged.
 *
 * @template T
 * @param {T} value
 * @param {AbortSignal} [signal]
 * @returns {Promise<Awaited<T>>}
 */
export async function awaitInput(value, signal) {
  checkThenable(/** @type {{ then?: unknown }} */ (value));
  return await orAbort(value, signal);
}

/**
 * Waits for a value, or rejects with the signal's reason. Without a signal it returns the value itself.
 *
 * @template T
 * @param {T} value
 * @param {AbortSignal} [signal]
 * @returns {T | Promise<Awaited<T>>}
 */
export function orAbort(value, signal) {
  if (!signal) return value;
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason));
    Promise.resolve(value).then(resolve, reject).finally(stopListening);
  });
}

/**
 * Calls a function once the signal is aborted, at once if it is already. Returns a function that stops listening.
 *
 * @param {AbortSignal | undefined} signal
 * @param {() => void} react
 */
export function onAbort(signal, react) {
  if (signal?.aborted) react();
  else signal?.addEventListener("abort", react, { once: true });
  return () => signal?.removeEventListener("abort", react);
}

/**
 * Returns a controller that is aborted together with a signal, until `unlink` is called.
 *
 * @param {AbortSignal} [signal]
 */
export function linkedTo(signal) {
  const controller = new AbortController();
  const unlink = onAbort(signal, () => controller.abort(signal?.reason));
  return { controller, signal: controller.signal, unlink };
}

/**
 * @param {unknown} value
 * @returns {value is PromiseLike<unknown>}
 */
export function isThenable(value) {
  try {
    return typeof (/** @type {{ then?: unknown } | null | undefined} */ (value)?.then) === "function";
  } catch {
    return false; // a proxy or a getter that throws, which is reported when it is read
  }
}

/**
 * Returns the value, or the result of `read` for it. For a promise it returns a promise whose rejection is handled, in
 * case nobody awaits it. Awaits a thenable only once, because some start their work then.
 *
 * @param {unknown} value
 * @param {(value: unknown) => unknown} [read]
 * @returns {unknown}
 */
export function settling(value, read = (same) => same) {
  if (!isThenable(value)) return read(value);
  const promise = Promise.resolve(value).then(read);
  promise.catch(() => {});
  return promise;
}

/**
 * Returns a promise and the functions that settle it. Its rejection is handled, because not every caller awaits it.
 *
 * @template T
 */
export function deferred() {
  /** @type {(value: T | PromiseLike<T>) => void} */
  let resolve = () => {};
  /** @type {(error: unknown) => void} */
  let reject = () => {};
  /** @type {Promise<T>} */
  const promise = new Promise((...settle) => ([resolve, reject] = settle));
  promise.catch(() => {});
  return { promise, resolve, reject };
}
