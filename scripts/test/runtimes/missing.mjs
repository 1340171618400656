// A runtime that is not on this machine, and can't be brought there: its step is skipped, and says why.

export class MissingRuntime extends Error {
  constructor(why, options) {
    super(why, options);
    this.name = "MissingRuntime";
  }
}
