// Random bodies of unique strings and numbers, so that tests can look for each of them.
import { numbersFrom } from "../random.mjs";

const DECORATIONS = ["", " ", "é", "→日本", "👩‍🚀", "\n", '"', "\\", "\u2028", "{", "<", "'"];

/** Creates values from a seed. */
export class Maker {
  #count = 0;

  constructor(seed) {
    this.below = numbersFrom(seed);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  chance(of) {
    return this.below(of) === 0;
  }

  list(most, make) {
    return Array.from({ length: this.below(most + 1) }, (_, at) => make(at));
  }

  /** Returns a unique string. */
  text() {
    this.#count += 1;
    return `${this.pick(DECORATIONS)}s${this.#count}x${this.pick(DECORATIONS)}`;
  }

  /** Returns a unique string of letters and digits. */
  word(stem) {
    this.#count += 1;
    return `${stem}s${this.#count}x`;
  }

  /** Returns a unique number. */
  number() {
    this.#count += 1;
    return 1_000_000 + this.#count;
  }

  /** Returns any JSON value, with unique leaves. */
  value(depth = 2) {
    const kind = this.below(depth > 0 ? 7 : 4);
    if (kind < 2) return this.text();
    if (kind === 2) return this.number();
    if (kind === 3) return this.pick([null, true, false]);
    if (kind === 4) return this.list(3, () => this.value(depth - 1));
    return this.object(depth - 1);
  }

  object(depth = 1) {
    return Object.fromEntries(this.list(3, () => [this.word("k"), this.value(depth)]));
  }

  /** Returns an object with these members. Those whose name ends with a question mark may be missing. */
  members(makers) {
    const entries = Object.entries(makers).filter(([name]) => !name.endsWith("?") || this.chance(2));
    return Object.fromEntries(entries.map(([name, make]) => [name.replace("?", ""), typeof make === "function" ? make() : make]));
  }
}

/** Returns the strings and numbers in a value. */
export function leavesOf(value, found = []) {
  if (typeof value === "string" || typeof value === "number") found.push(value);
  else if (typeof value === "object" && value !== null) for (const member of Object.values(value)) leavesOf(member, found);
  return found;
}

/** Returns the unique strings and numbers of a body that aren't in the answer. */
export function lostIn(answer, body) {
  const found = leavesOf(answer);
  const texts = found.filter((leaf) => typeof leaf === "string");
  const numbers = new Set(found);
  const all = texts.join("\n");
  const isLost = (leaf) => {
    if (typeof leaf === "number") return leaf >= 1_000_000 && !numbers.has(leaf) && !all.includes(String(leaf));
    const [mark] = /s\d+x/.exec(leaf) ?? [];
    if (mark === undefined || all.includes(leaf)) return false;
    // The input of a custom tool that was cut off is the beginning of a JSON string.
    if (all.includes(JSON.stringify(leaf).slice(1, -1))) return false;
    // Text that is JSON is returned parsed.
    const parsed = parse(leaf);
    return parsed === undefined || lostIn(answer, parsed).length > 0;
  };
  return leavesOf(body).filter(isLost);
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Yields each object and array in a value, outermost first. */
function* containersIn(value) {
  if (typeof value !== "object" || value === null) return;
  yield value;
  for (const member of Object.values(value)) yield* containersIn(member);
}

/** Returns the body with some members added, removed or replaced by another type. */
export function damaged(body, maker) {
  const copy = structuredClone(body);
  for (let change = maker.below(3); change >= 0; change--) {
    const target = maker.pick([...containersIn(copy)]);
    const keys = Object.keys(target);
    const key = keys.length > 0 ? maker.pick(keys) : undefined;
    const kind = maker.below(4);
    if (kind === 0 || key === undefined) {
      if (Array.isArray(target)) target.push(maker.value());
      else target[maker.word("k")] = maker.value();
    } else if (kind === 1) target[key] = null;
    else if (kind === 2 && !Array.isArray(target)) delete target[key];
    else
      target[key] = maker.pick([
        maker.text(),
        maker.number(),
        [maker.text()],
        { [maker.word("k")]: maker.text() },
        true,
        "",
        [],
        {},
      ]);
  }
  return copy;
}
