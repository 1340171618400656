// Shortens text to a length that a browser can lay out without freezing the page. The copy buttons copy all of it.

const MOST_CHARACTERS = 20_000;

/** @param {string} text */
export const shorten = (text) =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}… (${text.length.toLocaleString("en")} characters)` : text;
