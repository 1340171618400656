/**
 * A JSON value that grows, with structural sharing: a value that was handed out never changes, and the next one shares
 * with it all that is the same.
 *
 * Only the containers on the path of the last delta can still grow, because JSON arrives in order. They are the spine.
 * A prefix of it belongs to this object alone and is changed in place; handing out the value ends that, and the first
 * change afterwards copies the containers on its path, each one level deep.
 */

/** @import { Delta } from "./types/api.js" */

import { setOwn } from "./own_property.js";

/** @typedef {Extract<Delta, { type: "json" }>} JsonDelta */
/** @typedef {string | number} Key */
/** @typedef {Record<Key, unknown>} Container an object or an array */

/** The key of the value in the holder. */
const ROOT = "value";

export class GrowingValue {
  isDone = false;
  /** A holder, so that the outermost value is a member like any other. It is never handed out. @type {Container} */
  #holder = {};
  /** The keys from the holder to the last container of the spine. @type {Key[]} */
  #keys = [];
  /** The holder, and the containers at these keys. @type {Container[]} */
  #spine = [this.#holder];
  /** The number of containers, from the start of the spine, that nobody else has. */
  #owned = 1;

  /** The value as it is now, which later deltas don't change. */
  get() {
    this.#owned = 1;
    return this.#holder[ROOT];
  }

  /** The value, which later deltas may change in place. */
  peek() {
    return this.#holder[ROOT];
  }

  /**
   * Returns whether the delta fits; one that doesn't changes nothing.
   *
   * @param {JsonDelta} delta
   */
  apply(delta) {
    const { path, value, append, done } = delta;
    const depth = path.length;
    if (!this.#walkTo(path)) return false;
    const key = keyAt(path, depth);
    const parent = /** @type {Container} */ (this.#spine[depth]);
    if (value !== undefined) {
      if (!isPlaceFor(key, parent)) return false;
      const isGrowing = !done && typeof value === "object" && value !== null;
      // It will grow, which must not change the delta.
      if (isGrowing) this.#open(key, depth, Array.isArray(value) ? [] : {});
      else this.#set(key, depth, value);
    } else if (append !== undefined) {
      const before = Object.hasOwn(parent, key) ? parent[key] : undefined;
      if (typeof before !== "string") return false;
      this.#set(key, depth, before + append);
    }
    if (done && depth === 0) this.isDone = true;
    return true;
  }

  /**
   * Makes the container that the path's last key belongs to the end of the spine, or returns false if there is none.
   *
   * @param {Key[]} path
   */
  #walkTo(path) {
    let level = 0;
    while (level < path.length && level < this.#keys.length && this.#keys[level] === keyAt(path, level)) level++;
    while (this.#keys.length > level) {
      this.#keys.pop();
      this.#spine.pop();
    }
    this.#owned = Math.min(this.#owned, level + 1);
    for (; level < path.length; level++) {
      const parent = /** @type {Container} */ (this.#spine[level]);
      const key = keyAt(path, level);
      const child = Object.hasOwn(parent, key) ? parent[key] : undefined;
      if (typeof child !== "object" || child === null) return false;
      this.#keys.push(key);
      this.#spine.push(/** @type {Container} */ (child));
    }
    return true;
  }

  /**
   * Sets a member to a new container, and makes that the end of the spine.
   *
   * @param {Key} key
   * @param {number} depth
   * @param {unknown} container
   */
  #open(key, depth, container) {
    this.#set(key, depth, container);
    this.#keys.push(key);
    this.#spine.push(/** @type {Container} */ (container));
    this.#owned = depth + 2;
  }

  /**
   * Sets a member of the container at the end of the spine, which is `depth` keys below the holder.
   *
   * @param {Key} key
   * @param {number} depth
   * @param {unknown} value
   */
  #set(key, depth, value) {
    for (; this.#owned <= depth; this.#owned++) {
      const at = this.#owned;
      const copy = shallowCopy(/** @type {Container} */ (this.#spine[at]));
      setOwn(/** @type {Container} */ (this.#spine[at - 1]), /** @type {Key} */ (this.#keys[at - 1]), copy);
      this.#spine[at] = copy;
    }
    setOwn(/** @type {Container} */ (this.#spine[depth]), key, value);
  }
}

/** The key at a level of a path from the holder. @param {Key[]} path @param {number} level @returns {Key} */
const keyAt = (path, level) => (level === 0 ? ROOT : /** @type {Key} */ (path[level - 1]));

/** Whether a container can have a member with this key; an array has no gaps. @param {Key} key @param {Container} parent */
function isPlaceFor(key, parent) {
  if (!Array.isArray(parent)) return typeof key === "string";
  return typeof key === "number" && Number.isInteger(key) && key >= 0 && key <= parent.length;
}

/** @param {Container} container @returns {Container} */
const shallowCopy = (container) =>
  Array.isArray(container) ? /** @type {Container} */ (/** @type {unknown} */ (container.slice())) : { ...container };
