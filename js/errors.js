/**
 * What respool throws. Two copies of the package in one program have two sets of classes, and bundlers rename classes:
 * each has its name as a member, an error carries the names of its kinds, and `isInstance` goes by them.
 */

import { beginStackAtCaller } from "./stack.js";

const KINDS = Symbol.for("respool.error.kinds");

export class RespoolError extends Error {
  static get name() {
    return "RespoolError";
  }

  static kinds = [this.name];

  constructor(code, message, options = {}) {
    const { cause, ...details } = options;
    super(message, cause === undefined ? undefined : { cause });
    const { kinds } = new.target;
    beginStackAtCaller(this, kinds[0]);
    Object.defineProperty(this, "name", { value: kinds[0], writable: true, configurable: true });
    this.code = code;
    for (const [name, value] of Object.entries(details)) if (value !== undefined) this[name] = value;
    Object.defineProperty(this, KINDS, { value: kinds });
  }

  static isInstance(value) {
    try {
      const kinds = typeof value === "object" && value !== null ? value[KINDS] : undefined;
      return Array.isArray(kinds) && kinds.includes(this.kinds[0]);
    } catch {
      return false; // a proxy
    }
  }
}

export class DecodeError extends RespoolError {
  static get name() {
    return "DecodeError";
  }

  static kinds = [this.name, ...super.kinds];
}

export class ProviderError extends RespoolError {
  static get name() {
    return "ProviderError";
  }

  static kinds = [this.name, ...super.kinds];
}

export class RefusalError extends RespoolError {
  static get name() {
    return "RefusalError";
  }

  static kinds = [this.name, ...super.kinds];
}

export class StreamError extends RespoolError {
  static get name() {
    return "StreamError";
  }

  static kinds = [this.name, ...super.kinds];
}

export class OutputParseError extends RespoolError {
  static get name() {
    return "OutputParseError";
  }

  static kinds = [this.name, ...super.kinds];
}

export class LimitError extends RespoolError {
  static get name() {
    return "LimitError";
  }

  static kinds = [this.name, ...super.kinds];
}

/** The classes of the errors of the module, by code; of any other it is RespoolError. */
export const CLASSES = {
  "invalid-json": DecodeError,
  "unknown-response": DecodeError,
  "empty-response": DecodeError,
  "codec-error": DecodeError,
  "provider-error": ProviderError,
  "limit-exceeded": LimitError,
};

/** The message of whatever was thrown, or given as a reason. */
export function messageOf(thrown) {
  try {
    const message = thrown?.message ?? thrown;
    // An object as text is whatever it likes, and an array may be endless.
    if (typeof message !== "object" && typeof message !== "function") return String(message);
  } catch {
    // It has no message that can be read.
  }
  return thrown === null ? "null" : "an error without a message";
}
