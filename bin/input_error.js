// The error for an input that can't be read.

/** The error for an input that is missing, not readable or corrupt. */
export class InputError extends Error {
  /**
   * @param {string} name
   * @param {NodeJS.ErrnoException} cause
   */
  constructor(name, cause) {
    const isUrl = cause.code === "ENOENT" && /^https?:\/\//.test(name);
    super(`${name}: ${isUrl ? "is a URL: pipe the answer instead, as in curl -N … | respool" : reasonOf(cause)}`, { cause });
    this.code = cause.code;
  }
}

/** @type {Record<string, string>} */
const MESSAGES = {
  ENOENT: "no such file",
  EISDIR: "is a folder, not a file",
  EACCES: "permission denied",
  Z_BUF_ERROR: "the compressed data is cut off",
};

/** Whether zlib, zstd or brotli can't decompress the data. @param {NodeJS.ErrnoException} error */
export const isCorrupt = ({ code = "" }) => /^(Z_DATA_ERROR$|ZSTD_|ERR_\w*ERROR_)/.test(code);

/** Returns the reason why a file can't be read. @param {NodeJS.ErrnoException} error */
export const reasonOf = (error) =>
  isCorrupt(error) ? "the compressed data is corrupt" : (MESSAGES[error.code ?? ""] ?? error.message);
