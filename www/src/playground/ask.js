// Sends a request and records the response as it arrives.
import { messageOf } from "../capture/values.js";
import { Recording } from "../session/recording.js";
import { explainFailure, explainStatus } from "./explain.js";

/** @import { Header } from "../capture/exchange.js" */
/** @import { PlaygroundRequest } from "./form.js" */

/**
 * @param {PlaygroundRequest} request
 * @param {string} name name of the recording
 * @param {AbortSignal} signal
 * @param {{ onStart(recording: Recording): void, onBytes(): void }} listeners
 * @returns {Promise<string | undefined>} a message to the user if the request failed
 */
export async function ask(request, name, signal, { onStart, onBytes }) {
  const { url, ...init } = request;
  const began = performance.now();
  // The headers aren't recorded, so that the key stays in the form.
  const recording = new Recording(name, {
    exchange: { request: { method: init.method, url, headers: [], body: init.body ?? "" } },
  });
  onStart(recording);
  /** @type {Response | undefined} */
  let response;
  try {
    // A redirect would send the key to another server.
    response = await fetch(url, { ...init, signal, redirect: "error", credentials: "omit", referrerPolicy: "no-referrer" });
    recording.exchange = {
      ...recording.exchange,
      response: {
        status: response.status,
        statusText: response.statusText,
        headers: [...response.headers].map((header) => /** @type {Header} */ (header)),
      },
    };
    for await (const bytes of chunksOf(response)) {
      recording.append(bytes, performance.now() - began);
      onBytes();
    }
    recording.finish();
    return explainStatus(response);
  } catch (error) {
    if (signal.aborted) {
      recording.abort("stopped");
      return undefined;
    }
    const reason = messageOf(error);
    recording.exchange = { ...recording.exchange, failure: reason };
    recording.breakOff(reason);
    if (response === undefined) return explainFailure(reason, request);
    return recording.result.ending === "complete" ? explainStatus(response) : `The connection broke: ${reason}`;
  } finally {
    onBytes();
  }
}

/** Yields the chunks of a body. Some browsers can't iterate over a stream. @param {Response} response */
async function* chunksOf({ body }) {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    reader.releaseLock();
  }
}
