/** Files and sources of an answer, as chunks of the AI SDK. */

/** The beginning of files in base64, by which they are known. */
const IMAGES = [
  ["/9j/", "jpeg"],
  ["UklGR", "webp"],
  ["R0lGOD", "gif"],
  ["", "png"],
];
const AUDIO = [
  ["UklGR", "wav"],
  ["SUQz", "mpeg"],
  ["//", "mpeg"],
  ["T2dn", "ogg"],
  ["ZkxhQ", "flac"],
  ["", "pcm"],
];

const typeOf = (base64, beginnings) => beginnings.find(([beginning]) => base64.startsWith(beginning))[1];

const fileChunk = (url, mediaType) => ({ type: "file", url, mediaType });

const dataChunk = (mediaType, base64) => fileChunk(`data:${mediaType};base64,${base64}`, mediaType);

/** Whether a page may make a link of it: an address with `javascript:` would run there. */
const isLink = (url) => /^https?:/i.test(url);

/** None for a picture that is not finished, and for one that came without its bytes or with an address that is none. */
export function imageChunks({ url, base64, raw }) {
  if (raw?.partial_image_index !== undefined) return [];
  if (url !== undefined) {
    const type = isLink(url) ? "image/*" : /^data:(image\/[\w.+-]+)/.exec(url)?.[1];
    return type === undefined ? [] : [fileChunk(url, type)];
  }
  return base64 === undefined ? [] : [dataChunk(`image/${typeOf(base64, IMAGES)}`, base64)];
}

/** One file of pieces that were encoded one by one, so that padding stands between them. Throws where they are no base64. */
export function audioChunk(pieces) {
  const isPadded = pieces.some((piece) => piece.length % 4 !== 0 || piece.endsWith("="));
  const base64 = isPadded ? btoa(pieces.map((piece) => atob(piece)).join("")) : pieces.join("");
  return dataChunk(`audio/${typeOf(base64, AUDIO)}`, base64);
}

/** What a citation is of; undefined where it names nothing. */
export function sourceOf(annotation) {
  const { url, title, filename, document_title: documentTitle } = annotation?.url_citation ?? annotation ?? {};
  if (typeof url === "string" && isLink(url)) return { type: "source-url", url, ...(typeof title === "string" && { title }) };
  const name = filename ?? documentTitle;
  if (typeof name !== "string") return undefined;
  return { type: "source-document", mediaType: "text/plain", title: name, ...(filename !== undefined && { filename }) };
}
