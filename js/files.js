/** Converts images and audio of an answer to files that a page can show. */

/** @import { ContentPart } from "./types/api.js" */

/** @typedef {readonly (readonly [start: string, type: string])[]} Signatures the start of files in base64; the last entry matches all */

/** @type {Signatures} */
const IMAGES = [
  ["/9j/", "jpeg"],
  ["UklGR", "webp"],
  ["R0lGOD", "gif"],
  ["", "png"],
];
/** @type {Signatures} */
const AUDIO = [
  ["UklGR", "wav"],
  ["SUQz", "mpeg"],
  ["//", "mpeg"],
  ["T2dn", "ogg"],
  ["ZkxhQ", "flac"],
  ["", "pcm"],
];

/** @type {(base64: string, signatures: Signatures) => string | undefined} */
const typeOf = (base64, signatures) => signatures.find(([start]) => base64.startsWith(start))?.[1];

/** @typedef {{ url: string, mediaType: string }} File */

/** @type {(mediaType: string, base64: string) => File} */
const dataFile = (mediaType, base64) => ({ url: `data:${mediaType};base64,${base64}`, mediaType });

/**
 * Whether a page may link to a URL. A `javascript:` URL would run code there.
 *
 * @param {string} url
 */
export const isLink = (url) => /^https?:/i.test(url);

const MEDIA_TYPE = /^(?:image|audio)\/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*$/;

/** @typedef {Partial<Record<"mimeType" | "mime_type" | "format" | "output_format", unknown>>} Described */

/**
 * Returns the media type that the provider sends, for an image also as a mere format; undefined if there is none.
 *
 * @param {unknown} raw
 */
export function mediaTypeOf(raw) {
  const part = /** @type {Described & Record<string, Described | undefined>} */ (raw ?? {});
  const { mimeType, mime_type, format } = part.inlineData ?? part.inline_data ?? part.fileData ?? part.image ?? part;
  const imageFormat = part.output_format ?? (part.image === undefined ? undefined : format);
  const given = String(mimeType ?? mime_type ?? `image/${imageFormat ?? ""}`).replaceAll(" ", "");
  return MEDIA_TYPE.test(given) ? given : undefined;
}

/**
 * Returns the file of an image; none if the image is unfinished, has no bytes, or has a URL that pages can't use.
 *
 * @param {Extract<ContentPart, { type: "image" }>} part
 * @returns {File[]}
 */
export function imageFiles({ url, base64, raw }) {
  if (/** @type {{ partial_image_index?: number } | null | undefined} */ (raw)?.partial_image_index !== undefined) return [];
  if (url !== undefined) {
    const type = isLink(url) ? (mediaTypeOf(raw) ?? "image/*") : /^data:(image\/[\w.+-]+)/.exec(url)?.[1];
    return type === undefined ? [] : [{ url, mediaType: type }];
  }
  return base64 === undefined ? [] : [dataFile(mediaTypeOf(raw) ?? `image/${typeOf(base64, IMAGES)}`, base64)];
}

/**
 * Whether an image belongs to the reasoning.
 *
 * @param {Extract<ContentPart, { type: "image" }>} part
 */
export const isThought = ({ raw }) => /** @type {{ thought?: unknown } | null | undefined} */ (raw)?.thought === true;

/**
 * Joins pieces of audio to a file: pieces of one base64 text, or pieces encoded one by one, so that there may be
 * padding between them. Throws if they aren't valid base64.
 *
 * @param {string[]} pieces
 * @param {string} [mediaType]
 */
export function audioFile(pieces, mediaType) {
  const texts = pieces.join("").split(/(?<==)(?=[^=])/);
  const bytes = texts.map((text) => atob(text));
  const base64 = texts.length > 1 ? btoa(bytes.join("")) : texts.join("");
  return dataFile(mediaType ?? `audio/${typeOf(base64, AUDIO)}`, base64);
}
