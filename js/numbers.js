/** Deltas that differ from an earlier one in nothing but numbers, as repeated usage does: see src/wasm/numbers.rs. */

/** @typedef {Record<string, unknown>} Members */

/**
 * An object or array in the pattern, in the order of its JSON.
 *
 * @typedef {object} Node
 * @property {Members} value
 * @property {number} parent the position of the node that contains it
 * @property {string} key its key there
 */

/**
 * The JSON of the pattern, and once something was like it, what it consists of; null if copying it isn't safe.
 *
 * @type {{ generation: number, json: string, parts: Parts | null | undefined }}
 */
let pattern = { generation: 0, json: "", parts: undefined };

/** @typedef {{ nodes: Node[], numbers: { node: number, key: string }[] }} Parts */

/**
 * A value whose JSON is the new pattern.
 *
 * @param {number} generation
 * @param {string} json
 */
export function newPattern(generation, json) {
  pattern = { generation, json, parts: undefined };
  return JSON.parse(json);
}

/**
 * A value whose JSON differs from the pattern in numbers.
 *
 * @param {number} generation
 * @param {string} json
 * @param {Uint32Array} memory
 * @param {number} at where in memory the numbers are: how many, and the position and value of each
 */
export function likePattern(generation, json, memory, at) {
  if (pattern.generation !== generation) return JSON.parse(json);
  if (pattern.parts === undefined) pattern.parts = partsOf(pattern.json);
  if (pattern.parts === null) return JSON.parse(json);
  const { nodes, numbers } = pattern.parts;
  /** @type {Members[]} */
  const copies = new Array(nodes.length);
  for (let nth = 0; nth < nodes.length; nth++) {
    const { value, parent, key } = /** @type {Node} */ (nodes[nth]);
    const copy = Array.isArray(value) ? /** @type {any} */ (value.slice()) : { ...value };
    copies[nth] = copy;
    if (nth > 0) /** @type {Members} */ (copies[parent])[key] = copy;
  }
  const end = at + 1 + 2 * /** @type {number} */ (memory[at]);
  for (let next = at + 1; next < end; next += 2) {
    const { node, key } = /** @type {{ node: number, key: string }} */ (numbers[/** @type {number} */ (memory[next])]);
    /** @type {Members} */ (copies[node])[key] = memory[next + 1];
  }
  return copies[0];
}

/**
 * The objects and arrays in JSON and the members that are whole numbers, both in the order of the text; null if the order
 * isn't certain, or a key has a meaning of its own.
 *
 * @param {string} json
 * @returns {Parts | null}
 */
function partsOf(json) {
  const root = JSON.parse(json);
  // Engines sort keys that are numbers and drop repeated ones, and 1.0 is written as 1.
  if (JSON.stringify(root) !== json || json.includes('"__proto__"')) return null;
  /** @type {Parts} */
  const parts = { nodes: [], numbers: [] };
  addNode(parts, root, 0, "");
  return parts;
}

/** @type {(parts: Parts, value: Members, parent: number, key: string) => void} */
function addNode(parts, value, parent, key) {
  const at = parts.nodes.length;
  parts.nodes.push({ value, parent, key });
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === "object" && member !== null) addNode(parts, /** @type {Members} */ (member), at, name);
    else if (Number.isInteger(member) && /** @type {number} */ (member) >= 0 && !Array.isArray(value)) {
      parts.numbers.push({ node: at, key: name });
    }
  }
}
