// Opens the files and standard input, and finds the responses in them.

/** @import { Recorded } from "./recording.js" */

import { linkedTo } from "../js/abort.js";
import { isFailure } from "./http_status.js";
import { nameOf, open } from "./input.js";
import { InputError } from "./input_error.js";
import { peek } from "./peek.js";
import { readRecording } from "./recording.js";

/**
 * A response or a batch of them.
 *
 * @typedef {object} Source
 * @property {string} name
 * @property {number | undefined} status HTTP status, if known
 * @property {AsyncIterable<Buffer>} reads
 * @property {boolean} isEmpty whether it has nothing but a status
 * @property {boolean} isOneOfMany
 * @property {() => void} [stop] ends the reads, even a pending one
 */

/**
 * Yields what the files contain.
 *
 * @param {string[]} files
 * @param {object} options
 * @param {boolean} options.isSingle whether no file may have several responses; batches count as one
 * @param {AbortSignal} options.signal
 * @param {(count: number) => void} options.onRead called with the number of bytes of each read
 * @param {(error: InputError) => void} options.onError called for what can't be read; the other sources follow
 * @returns {AsyncGenerator<Source>}
 */
export async function* sourcesOf(files, { isSingle, signal, onRead, onError }) {
  for (const file of files) {
    if (signal.aborted) return;
    const name = nameOf(file);
    const { controller, signal: reading, unlink } = linkedTo(signal);
    try {
      /** @type {number | undefined} */
      let status;
      const onStatus = (/** @type {number} */ found) => {
        status = found;
      };
      const [start, opened] = await peek(open(file, reading, { onRead, onStatus, onError }), 1);
      const { responses, reads } = await readRecording(opened, name);
      if (responses === undefined) {
        const stop = () => controller.abort();
        yield { name, status, reads, isEmpty: start.length === 0, isOneOfMany: files.length > 1, stop };
        continue;
      }
      const { length } = responses;
      if (isSingle && length > 1) throw new InputError(name, new Error(`contains ${length} responses, but --to writes one`));
      for (const [at, response] of responses.entries()) {
        if (signal.aborted) return;
        const source = sourceOf(response, length > 1 ? `${name} (${at + 1}) · ${response.name}` : name, onError);
        if (source !== undefined) yield { ...source, isOneOfMany: length > 1 || files.length > 1 };
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      onError(error);
    } finally {
      unlink();
    }
  }
}

/**
 * Returns a recorded response, unless there is nothing to read. Reports what failed, as {@link open} does.
 *
 * @param {Recorded} response
 * @param {string} name
 * @param {(error: InputError) => void} onError
 */
function sourceOf({ status, failure, chunks }, name, onError) {
  const isEmpty = chunks.length === 0;
  if (failure !== undefined) onError(new InputError(name, new Error(failure)));
  else if (status === 0) onError(new InputError(name, new Error("no response arrived")));
  else if (isFailure(status)) onError(new InputError(name, new Error(`HTTP status ${status}`)));
  else if (isEmpty) onError(new InputError(name, new Error(NO_CONTENT)));
  if (isEmpty && (status === 0 || !isFailure(status))) return undefined;
  return { name, status: status === 0 ? undefined : status, reads: readsOf(chunks), isEmpty };
}

const NO_CONTENT = "the recording lacks the content of the response: save it with content, after the response has ended";

/** @param {Recorded["chunks"]} chunks */
async function* readsOf(chunks) {
  for (const { bytes } of chunks) yield Buffer.from(bytes);
}
