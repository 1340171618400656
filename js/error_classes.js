/**
 * The error classes. Two copies of the package in one program have two sets of classes, and bundlers rename classes. So
 * each class has its name as a property, each error has the names of its classes, and `isInstance` compares these
 * names.
 */

import { beginStackAtCaller } from "./stack.js";

const KINDS = Symbol.for("respool.error.kinds");

export class RespoolError extends Error {
  /** @override */
  static get name() {
    return "RespoolError";
  }

  static kinds = [this.name];

  /**
   * @param {string} code
   * @param {string} message
   * @param {{ cause?: unknown, [detail: string]: unknown }} [options] the cause, and the properties of the subclass
   */
  constructor(code, message, options = {}) {
    const { cause, ...details } = options;
    super(message, cause === undefined ? undefined : { cause });
    const { kinds } = new.target;
    beginStackAtCaller(this, String(kinds[0]));
    Object.defineProperty(this, "name", { value: kinds[0], writable: true, configurable: true });
    this.code = code;
    for (const [name, value] of Object.entries(details)) if (value !== undefined) Object.assign(this, { [name]: value });
    Object.defineProperty(this, KINDS, { value: kinds });
  }

  /**
   * @template {abstract new (...args: never) => unknown} T
   * @this {T}
   * @param {unknown} value
   * @returns {value is InstanceType<T>}
   */
  static isInstance(value) {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the class that isInstance is called on
    const { kinds } = /** @type {typeof RespoolError} */ (/** @type {unknown} */ (this));
    try {
      const others = /** @type {{ [KINDS]?: unknown } | null | undefined} */ (value)?.[KINDS];
      return Array.isArray(others) && others.includes(kinds[0]);
    } catch {
      return false; // a proxy
    }
  }
}

export class DecodeError extends RespoolError {
  /** @override */
  static get name() {
    return "DecodeError";
  }

  /** @override */
  static kinds = [this.name, ...super.kinds];
}

export class ProviderError extends RespoolError {
  /** @override */
  static get name() {
    return "ProviderError";
  }

  /** @override */
  static kinds = [this.name, ...super.kinds];
}

export class RefusalError extends RespoolError {
  /** @override */
  static get name() {
    return "RefusalError";
  }

  /** @override */
  static kinds = [this.name, ...super.kinds];
}

export class StreamError extends RespoolError {
  /** @override */
  static get name() {
    return "StreamError";
  }

  /** @override */
  static kinds = [this.name, ...super.kinds];
}

export class OutputParseError extends RespoolError {
  /** @override */
  static get name() {
    return "OutputParseError";
  }

  /** @override */
  static kinds = [this.name, ...super.kinds];
}

export class LimitError extends RespoolError {
  /** @override */
  static get name() {
    return "LimitError";
  }

  /** @override */
  static kinds = [this.name, ...super.kinds];
}
