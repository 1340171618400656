/** Text that comes in pieces, which may end in the middle of a character. */
export class WholeText {
  #half = "";

  /** What is whole of the piece, and of what was held back before. */
  next(piece) {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    const isCut = last >= 0xd800 && last < 0xdc00;
    this.#half = isCut ? text.slice(-1) : "";
    return isCut ? text.slice(0, -1) : text;
  }
}
