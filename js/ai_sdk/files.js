/** Files and cited sources of an answer, as chunks of the AI SDK. */

/** @import { ContentPart } from "../types/api.js" */
/** @import { UIMessageChunk } from "../types/ai_sdk.js" */

/** @typedef {readonly (readonly [start: string, type: string])[]} Signatures the start of files in base64; the last one matches all */

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

/** @typedef {Extract<UIMessageChunk<7>, { url: string, mediaType: string }>} FileChunk */

/** @type {(url: string, mediaType: string) => FileChunk} */
const fileChunk = (url, mediaType) => ({ type: "file", url, mediaType });

/** @type {(mediaType: string, base64: string) => FileChunk} */
const dataChunk = (mediaType, base64) => fileChunk(`data:${mediaType};base64,${base64}`, mediaType);

/**
 * Whether a page may link to an address. A `javascript:` address would run code there.
 *
 * @param {string} url
 */
const isLink = (url) => /^https?:/i.test(url);

const MEDIA_TYPE = /^(?:image|audio)\/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*$/;

/** @typedef {Partial<Record<"mimeType" | "mime_type" | "format" | "output_format", unknown>>} Described */

/**
 * The media type that the provider gives, of an image also as a format alone; undefined if it gives none.
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
 * The file of an image; none if the image is unfinished, has no bytes, or has an address that pages can't use.
 *
 * @param {Extract<ContentPart, { type: "image" }>} part
 * @returns {FileChunk[]}
 */
export function imageChunks({ url, base64, raw }) {
  if (/** @type {{ partial_image_index?: number } | null | undefined} */ (raw)?.partial_image_index !== undefined) return [];
  if (url !== undefined) {
    const type = isLink(url) ? (mediaTypeOf(raw) ?? "image/*") : /^data:(image\/[\w.+-]+)/.exec(url)?.[1];
    return type === undefined ? [] : [fileChunk(url, type)];
  }
  return base64 === undefined ? [] : [dataChunk(mediaTypeOf(raw) ?? `image/${typeOf(base64, IMAGES)}`, base64)];
}

/**
 * One file from pieces that were encoded one by one, so that padding may stand between them. Throws if a piece isn't
 * valid base64.
 *
 * @param {string[]} pieces
 * @param {string} [mediaType]
 */
export function audioChunk(pieces, mediaType) {
  const isPadded = pieces.some((piece) => piece.length % 4 !== 0 || piece.endsWith("="));
  const base64 = isPadded ? btoa(pieces.map((piece) => atob(piece)).join("")) : pieces.join("");
  return dataChunk(mediaType ?? `audio/${typeOf(base64, AUDIO)}`, base64);
}

/** @typedef {Partial<Record<"url" | "source" | "title" | "filename" | "file_name" | "document_title", unknown>>} Citation */
/** @typedef {Citation & { location?: { web?: Citation } | null, document?: Citation | null }} LocatedCitation */
/** @typedef {LocatedCitation & { url_citation?: Citation, sources?: (LocatedCitation | null)[] }} Annotation */
/** @typedef {Omit<Extract<UIMessageChunk<7>, { type: "source-url" }>, "sourceId">} UrlSource */
/** @typedef {Omit<Extract<UIMessageChunk<7>, { type: "source-document" }>, "sourceId">} DocumentSource */

/**
 * The sources that an annotation cites. Those without a usable address or a name are left out.
 *
 * @param {unknown} annotation
 * @returns {(UrlSource | DocumentSource)[]}
 */
export function sourcesOf(annotation) {
  const { url_citation: inner, sources, ...citation } = /** @type {Annotation} */ (annotation ?? {});
  const cited = Array.isArray(sources) ? sources.map((source) => source?.document ?? {}) : [inner ?? citation];
  return cited.flatMap(sourceOf);
}

/** @type {(...values: unknown[]) => string | undefined} */
const firstText = (...values) =>
  /** @type {string | undefined} */ (values.find((value) => typeof value === "string" && value !== ""));

/**
 * @param {LocatedCitation} citation
 * @returns {(UrlSource | DocumentSource)[]}
 */
function sourceOf({ url: given, location, source, title: givenTitle, filename, file_name, document_title }) {
  const title = firstText(givenTitle);
  const from = firstText(source);
  const url = firstText(given, location?.web?.url) ?? (from !== undefined && isLink(from) ? from : undefined);
  if (url !== undefined && isLink(url)) return [{ type: "source-url", url, ...(title !== undefined && { title }) }];
  const file = firstText(filename, file_name);
  // Where there is an address that a page can't use, the title is that of a web page.
  const name = file ?? firstText(document_title) ?? (url === undefined ? (title ?? from) : undefined);
  if (name === undefined) return [];
  return [{ type: "source-document", mediaType: "text/plain", title: name, ...(file !== undefined && { filename: file }) }];
}
