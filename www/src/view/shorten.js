// Text as far as a browser can lay it out without freezing the page. The buttons to copy give all of it.

const MOST_CHARACTERS = 20_000;

/** @param {string} text */
export const shorten = (text) =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}… (${text.length.toLocaleString("en")} characters)` : text;
