// Comma-separated values, as RFC 4180 describes them.

/** Matches cells that need quotes. Some programs would lose a space at either end. */
const SPECIAL = /[",\r\n]|^\s|\s$/;

/**
 * Returns a line of a table, with its line break.
 *
 * @param {(string | number | undefined)[]} cells
 */
export const csvLine = (cells) => `${cells.map(csvCell).join(",")}\r\n`;

/** @param {string | number | undefined} value */
function csvCell(value) {
  const text = value === undefined ? "" : String(value);
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
