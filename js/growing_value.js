/**
 * A JSON value that grows, with structural sharing: a value that was returned never changes, and the next one shares
 * all unchanged objects and arrays with it.
 *
 * Only the containers on the path of the last delta can still grow, because JSON arrives in order. They are the spine.
 * A prefix of the spine is owned by this object and changed in place. Returning the value ends the ownership, and the
 * next change copies the containers on its path, each one level deep.
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
  /** A holder, so that the outermost value is a member like any other. It is never returned. @type {Container} */
  #holder = {};
  /** The keys from the holder to the last container of the spine. @type {Key[]} */
  #keys = [];
  /** The holder, and the containers at these keys. @type {Container[]} */
  #spine = [this.#holder];
  /** Number of containers, from the start of the spine, that only this object references. */
  #owned = 1;

  /** Returns the current value, which later deltas don't change. */
  get() {
    this.#owned = 1;
    return this.#holder[ROOT];
  }

  /** Returns the current value, which later deltas may change in place. */
  peek() {
    return this.#holder[ROOT];
  }

  /**
   * Applies a delta. Returns `false` and changes nothing if the delta doesn't fit.
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
      // The container will grow, which must not change the delta's own.
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
   * Makes the parent container of the path's last key the end of the spine. Returns `false` if there is no such
   * container.
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
   * Sets a member to a new container, and adds that to the end of the spine.
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

/** Returns the key at a level of a path from the holder. @param {Key[]} path @param {number} level @returns {Key} */
const keyAt = (path, level) => (level === 0 ? ROOT : /** @type {Key} */ (path[level - 1]));

/** Whether a container can have a member with this key; an array has no gaps. @param {Key} key @param {Container} parent */
function isPlaceFor(key, parent) {
  if (!Array.isArray(parent)) return typeof key === "string";
  return typeof key === "number" && Number.isInteger(key) && key >= 0 && key <= parent.length;
}

/** @param {Container} container @returns {Container} */
const shallowCopy = (container) =>
  Array.isArray(container) ? /** @type {Container} */ (/** @type {unknown} */ (container.slice())) : { ...container };
