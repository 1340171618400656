// A runtime that isn't installed and can't be fetched. Its step is skipped with the reason.

export class MissingRuntime extends Error {
  /** @param {string} reason @param {ErrorOptions} [options] */
  constructor(reason, options) {
    super(reason, options);
    this.name = "MissingRuntime";
  }
}
