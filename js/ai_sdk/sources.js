/** Converts cited sources of an answer to chunks of the AI SDK. */

/** @import { UIMessageChunk } from "../types/ai_sdk.js" */

import { isLink } from "../files.js";

/** @typedef {Partial<Record<"url" | "source" | "title" | "filename" | "file_name" | "document_title", unknown>>} Citation */
/** @typedef {Citation & { location?: { web?: Citation } | null, document?: Citation | null }} LocatedCitation */
/** @typedef {LocatedCitation & { url_citation?: Citation, sources?: (LocatedCitation | null)[] }} Annotation */
/** @typedef {Omit<Extract<UIMessageChunk<7>, { type: "source-url" }>, "sourceId">} UrlSource */
/** @typedef {Omit<Extract<UIMessageChunk<7>, { type: "source-document" }>, "sourceId">} DocumentSource */

export class Sources {
  /** The URLs or titles that were cited. */
  #cited = new Set();

  /**
   * Returns the sources that an annotation cites. Each is emitted once, however often it is cited.
   *
   * @param {unknown} annotation
   * @returns {UIMessageChunk<7>[]}
   */
  take(annotation) {
    return sourcesOf(annotation).flatMap((source) => {
      const name = source.type === "source-url" ? source.url : source.title;
      if (this.#cited.has(name)) return [];
      this.#cited.add(name);
      return [{ ...source, sourceId: `source-${this.#cited.size - 1}` }];
    });
  }
}

/**
 * Returns the sources that an annotation cites, except for those without a usable URL or name.
 *
 * @param {unknown} annotation
 * @returns {(UrlSource | DocumentSource)[]}
 */
function sourcesOf(annotation) {
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
  // If there is a URL that a page can't use, the title is that of a web page, not of a document.
  const name = file ?? firstText(document_title) ?? (url === undefined ? (title ?? from) : undefined);
  if (name === undefined) return [];
  return [{ type: "source-document", mediaType: "text/plain", title: name, ...(file !== undefined && { filename: file }) }];
}
