// Prints rows, one per response: as JSON lines, as CSV, or as text.

/** @import { StreamResult, ToolCall, Usage } from "respool" */
/** @import { Output } from "./output.js" */

import { totalTokensOf } from "../js/total_tokens.js";
import { csvLine } from "./csv.js";
import { Transcript } from "./transcript.js";

/**
 * A printer of rows, which it receives as lines of JSON.
 *
 * @typedef {object} Rows
 * @property {(lines: string | Uint8Array) => Promise<void>} write
 */

/**
 * A row, as `BatchReader` returns it.
 *
 * @typedef {object} Row
 * @property {string | undefined} [file]
 * @property {number | undefined} [line]
 * @property {string | undefined} [customId]
 * @property {string | undefined} [id]
 * @property {string | undefined} [model]
 * @property {string | undefined} [text]
 * @property {string | undefined} [reasoning]
 * @property {string | undefined} [refusal]
 * @property {ToolCall[] | undefined} [toolCalls]
 * @property {StreamResult["finishReason"] | undefined} [finishReason]
 * @property {string | undefined} [rawFinishReason]
 * @property {Usage | undefined} [usage]
 * @property {number[][] | undefined} [vectors]
 * @property {string[] | undefined} [images]
 * @property {{ code: string, message: string, status?: number } | undefined} [error]
 */

/** Prints rows unchanged, as lines of JSON. */
export class JsonRows {
  #output;

  /** @param {Output} output */
  constructor(output) {
    this.#output = output;
  }

  /** @param {string | Uint8Array} lines */
  write(lines) {
    return this.#output.writeJson(lines);
  }
}

/** Prints rows as a CSV table with a header. */
export class CsvRows {
  #output;
  #columns;
  #hasHeader = false;

  /**
   * @param {Output} output
   * @param {boolean} hasFiles whether rows name their file
   */
  constructor(output, hasFiles) {
    this.#output = output;
    this.#columns = Object.entries(COLUMNS).filter(([name]) => hasFiles || name !== "file");
  }

  /** @param {string | Uint8Array} lines */
  async write(lines) {
    const header = this.#hasHeader ? "" : csvLine(this.#columns.map(([name]) => name));
    this.#hasHeader = true;
    const table = rowsIn(lines).map((row) => csvLine(this.#columns.map(([, cellOf]) => cellOf(row))));
    await this.#output.writeText(header + table.join(""));
  }
}

/**
 * The columns of the table, in order.
 *
 * @type {Record<string, (row: Row) => string | number | undefined>}
 */
const COLUMNS = {
  file: ({ file }) => file,
  line: ({ line }) => line,
  customId: ({ customId }) => customId,
  id: ({ id }) => id,
  model: ({ model }) => model,
  text: ({ text }) => text,
  reasoning: ({ reasoning }) => reasoning,
  refusal: ({ refusal }) => refusal,
  toolCalls: ({ toolCalls }) => jsonOf(toolCalls),
  finishReason: ({ finishReason }) => (typeof finishReason === "object" ? finishReason.unknown : finishReason),
  rawFinishReason: ({ rawFinishReason }) => rawFinishReason,
  inputTokens: ({ usage }) => usage?.inputTokens,
  uncachedInputTokens: ({ usage }) => usage?.uncachedInputTokens,
  cacheReadTokens: ({ usage }) => usage?.cacheReadTokens,
  cacheWriteTokens: ({ usage }) => usage?.cacheWriteTokens,
  outputTokens: ({ usage }) => usage?.outputTokens,
  reasoningTokens: ({ usage }) => usage?.reasoningTokens,
  totalTokens: ({ usage }) => usage && totalTokensOf(usage),
  vectors: ({ vectors }) => jsonOf(vectors),
  images: ({ images }) => jsonOf(images),
  errorCode: ({ error }) => error?.code,
  errorStatus: ({ error }) => error?.status,
  errorMessage: ({ error }) => error?.message,
};

/** Returns a list as JSON for one cell; undefined if it is empty. @param {unknown[] | undefined} list */
const jsonOf = (list) => (list === undefined || list.length === 0 ? undefined : JSON.stringify(list));

/** Prints each response under a heading. */
export class TextRows {
  #output;

  /** @param {Output} output */
  constructor(output) {
    this.#output = output;
  }

  /** @param {string | Uint8Array} lines */
  async write(lines) {
    for (const row of rowsIn(lines)) await this.#writeRow(row);
  }

  /** @param {Row} row */
  async #writeRow({ file, line, customId, vectors, images, error, ...answer }) {
    const place = [file, line === undefined ? undefined : `line ${line}`, customId].filter((word) => word !== undefined);
    await this.#output.writeText(`==> ${place.map((word) => String(word).replace(/\s+/g, " ")).join(" · ")} <==\n`);
    if (vectors !== undefined || images !== undefined) {
      await this.#output.writeText(`${linesOf({ vectors, images })}\n\n`);
      return;
    }
    const { text = "", reasoning, refusal, toolCalls = [], model } = answer;
    const transcript = new Transcript(this.#output);
    if (reasoning) await transcript.delta({ type: "reasoning", text: reasoning });
    if (text !== "") await transcript.delta({ type: "text", text });
    if (refusal) await transcript.delta({ type: "refusal", text: refusal });
    const toolCallStatus = toolCalls.map(() => /** @type {const} */ ("complete"));
    await transcript.end({ ...answer, toolCalls, toolCallStatus, ending: "complete", response: { model } });
    if (error !== undefined) await this.#output.writeText(`${error.code}: ${error.message}\n`);
    await this.#output.writeText("\n");
  }
}

/**
 * Returns each vector or image on its own line.
 *
 * @param {Row} row
 */
export const linesOf = ({ vectors = [], images }) => (images ?? vectors.map((vector) => JSON.stringify(vector))).join("\n");

/**
 * @param {string | Uint8Array} lines
 * @returns {Row[]}
 */
function rowsIn(lines) {
  const text = typeof lines === "string" ? lines : Buffer.from(lines).toString();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

/**
 * Returns the row of a stream, as a line of JSON.
 *
 * @param {StreamResult} result
 * @param {{ file: string | undefined, expectsJson: boolean }} context
 */
export function rowOfStream(result, { file, expectsJson }) {
  const { text, reasoning, refusal, toolCalls, finishReason, rawFinishReason, usage, response, ending } = result;
  const { raw, ...counts } = usage ?? {};
  const { id, model } = response;
  const row = JSON.stringify({
    ...{ file, id, model, text },
    ...(reasoning !== "" && { reasoning }),
    ...{ refusal, toolCalls, finishReason, rawFinishReason, usage: usage && counts },
    error: result.error ?? UNFINISHED[ending],
  });
  // Adds the JSON text unchanged, because numbers may have more digits than JavaScript keeps.
  return expectsJson ? `${row.slice(0, -1)},"value":${text.replace(/[\r\n]+/g, " ")}}\n` : `${row}\n`;
}

/**
 * Errors for streams that ended without one, by ending.
 *
 * @type {Record<string, { code: string, message: string }>}
 */
const UNFINISHED = {
  truncated: { code: "stream-truncated", message: "The input ended before the answer did" },
  aborted: { code: "aborted", message: "Interrupted" },
};
