// Asks a server, and records what it sends as it comes.
import { Recording } from "../session/recording.js";
import { explainFailure, explainStatus } from "./explain.js";

/**
 * @param {{ url: string, method: string, headers: object, body: string }} request
 * @param {AbortSignal} signal
 * @param {{ onStart(recording: Recording): void, onBytes(): void }} listeners
 * @returns {Promise<string | undefined>} what went wrong, for the user
 */
export async function ask(request, name, signal, { onStart, onBytes }) {
  const { url, ...init } = request;
  const began = performance.now();
  const recording = new Recording(name);
  onStart(recording);
  try {
    // A redirect would take the key elsewhere.
    const response = await fetch(url, { ...init, signal, redirect: "error", credentials: "omit", referrerPolicy: "no-referrer" });
    for await (const bytes of readsOf(response)) {
      recording.append(bytes, performance.now() - began);
      onBytes();
    }
    recording.finish();
    return explainStatus(response);
  } catch (error) {
    recording.abort(signal.aborted ? "stopped" : error.message);
    return explainFailure(error, request);
  } finally {
    onBytes();
  }
}

/** Not every browser can iterate over a stream. */
async function* readsOf({ body }) {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    reader.releaseLock();
  }
}
