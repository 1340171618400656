/**
 * Saves text as a file.
 *
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function saveFile(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Returns the name of a capture as the beginning of a file name. @param {string} name */
export const toFileName = (name) => name.replace(/\.json$/, "").replace(/[^\w.-]+/g, "-");
