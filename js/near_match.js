/** Suggestions for misspelled names. */

/** Maximum number of edits of a suggested name. */
const MAX_EDITS = 3;

/**
 * Returns the known name that is closest to a misspelled one, or begins with it; undefined if there is none.
 *
 * @param {string} name
 * @param {readonly string[]} known
 * @param {number} [most] maximum number of edits
 */
export function nearMatch(name, known, most = MAX_EDITS) {
  const limit = Math.min(most, Math.floor(name.length / 2));
  const [best] = known
    .map((candidate) => ({ candidate, edits: editsBetween(name.toLowerCase(), candidate.toLowerCase(), limit) }))
    .filter(({ edits }) => edits <= limit)
    .sort((one, other) => one.edits - other.edits);
  return best?.candidate ?? known.find((candidate) => name.length > MAX_EDITS && candidate.startsWith(name));
}

/**
 * Returns the message for an unknown name, with the closest known name as a suggestion.
 *
 * @param {string} kind for example "option"
 * @param {string} name
 * @param {readonly string[]} known
 * @param {string} [prefix] text before the name in the message
 */
export function unknownName(kind, name, known, prefix = "") {
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  const suggestion = nearMatch(name, known);
  const question = suggestion === undefined ? "" : ` Did you mean \`${prefix}${suggestion}\`?`;
  const plural = `${kind[0]?.toUpperCase()}${kind.slice(1)}s`;
  return `Unknown ${kind} \`${prefix}${shown}\`.${question} ${plural}: ${known.map((other) => prefix + other).join(", ")}`;
}

/**
 * Returns the Damerau–Levenshtein distance of two strings, where swapping two neighbours is one edit. If it exceeds
 * `limit`, the result may be any larger number.
 *
 * @param {string} from
 * @param {string} to
 * @param {number} limit
 */
function editsBetween(from, to, limit) {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  /** @type {number[]} */
  let before = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = Number(row[column - 1]) + Number(from[index] !== to[column - 1]);
      const isSwapped = from[index] === to[column - 2] && from[index - 1] === to[column - 1];
      const swapped = isSwapped ? Number(before[column - 2]) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, Number(row[column]) + 1, Number(next[column - 1]) + 1));
    }
    before = row;
    row = next;
  }
  return Number(row.at(-1));
}
