// Writes the whole answer in another interface. The encoder is a large separate file, loaded on first use.
import { createYield } from "./yielding.js";

/** @import { Warning } from "respool" */
/** @import { StreamEncoder, WireApi } from "respool/encode" */
/** @import { Recording } from "./recording.js" */

/** @typedef {"stream" | "body"} Form */
/** @typedef {{ text: string, lost: Warning[] }} Translation `lost`: warnings about content that the interface can't represent */

/** The error if the encoder couldn't be loaded. */
export class NotLoaded extends Error {}

/**
 * @param {Recording} recording a finished recording
 * @param {WireApi} api
 * @param {Form} form
 * @returns {Promise<Translation>}
 */
export async function translate(recording, api, form) {
  const { encode, StreamEncoder } = await loadEncoder();
  if (form === "body") {
    const { body, lost } = encode(recording.result, api);
    return { text: JSON.stringify(body, null, 2), lost };
  }
  // Clients of chat completions get the usage only on request.
  const encoder = new StreamEncoder(api, { includeUsage: true });
  try {
    const text = await writeStream(recording, encoder);
    return { text, lost: encoder.lost };
  } finally {
    encoder.free();
  }
}

/** Number of failed attempts to load the encoder. */
let failures = 0;

/** @returns {Promise<typeof import("respool/encode")>} */
async function loadEncoder() {
  // Chromium doesn't retry a URL whose loading has failed. scripts/www/bundle.mjs writes the file.
  const url = new URL(failures === 0 ? "./encode.js" : `./encode.js?again=${failures}`, import.meta.url);
  try {
    return await import(url.href);
  } catch (error) {
    failures += 1;
    throw new NotLoaded("The encoder couldn't be loaded", { cause: error });
  }
}

/** @param {Recording} recording @param {StreamEncoder} encoder */
async function writeStream(recording, encoder) {
  const decoder = new TextDecoder();
  const pause = createYield();
  let text = "";
  // Pushes one event at a time, as a proxy would receive it: events that are pushed together become fewer events.
  for (const frame of recording.frames) {
    if (encoder.isOver) break;
    text += decoder.decode(encoder.pushBytes(recording.bytesOf(frame)), { stream: true });
    await pause();
  }
  const { ending, error } = recording.result;
  const last = ending === "aborted" ? encoder.abort(error?.message) : encoder.finish();
  return text + decoder.decode(last);
}
