// Comma-separated values, as RFC 4180 describes them.

/** What a cell must not contain without quotes. A space at an edge would be lost in some programs. */
const SPECIAL = /[",\r\n]|^\s|\s$/;

/**
 * A line of a table, with its line end.
 *
 * @param {(string | number | undefined)[]} cells
 */
export const csvLine = (cells) => `${cells.map(csvCell).join(",")}\r\n`;

/** @param {string | number | undefined} value */
function csvCell(value) {
  const text = value === undefined ? "" : String(value);
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
