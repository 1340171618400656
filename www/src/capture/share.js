// Captures saved as files to share.
import { readSharedCapture, writeSharedCapture } from "../../../js/shared_capture.js";

/** @import { Entry } from "./capture.js" */
/** @import { Recording } from "../session/recording.js" */

/** Returns the file for a recording: one read per frame. @param {Recording} recording */
export function toShare(recording) {
  const chunks = recording.frames.map((frame) => ({
    bytes: recording.bytesOf(frame),
    ...(frame.time !== undefined && { time: frame.time }),
  }));
  return writeSharedCapture({ name: recording.name, status: recording.exchange?.response?.status, chunks });
}

/**
 * Returns the response in such a file, or undefined for anything else.
 *
 * @param {unknown} value the parsed file
 * @param {string} file its name
 * @returns {Entry | undefined}
 */
export function entryOfShare(value, file) {
  const capture = readSharedCapture(value);
  if (capture === undefined) return undefined;
  const { name = file, status, chunks } = capture;
  return { name, chunks, ...(status && { exchange: { response: { status, statusText: "", headers: [] } } }) };
}
