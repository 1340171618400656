/** Joins text that arrives in pieces, which may split a surrogate pair. */
export class WholeText {
  /** The high surrogate at the end of the last piece, which was held back. */
  #half = "";

  /**
   * Returns the whole characters of the held-back text and this piece.
   *
   * @param {string} piece
   */
  next(piece) {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    const isSplit = last >= 0xd800 && last < 0xdc00;
    this.#half = isSplit ? text.slice(-1) : "";
    return isSplit ? text.slice(0, -1) : text;
  }
}
