/**
 * Makes an error's stack begin with the caller's frame, as if the public function itself had thrown it: the frames of
 * respool are useless to its users. A frame is respool's own if its file is in the package. Bundlers rename functions
 * and merge files, so a frame is also respool's own if it lies between two marks: the first function of this file,
 * which a library imports first, and the library's last statement.
 */

/** The first mark. A function, because some bundlers move functions before all statements. */
function firstMark() {
  return new Error("the first function of the library");
}

/** @typedef {{ file: string, line: number, column: number }} Place */
/** @typedef {{ getScriptNameOrSourceURL(): string | null, getLineNumber(): number, getColumnNumber(): number }} CallSite */

/** The `Error` class with the limit that V8 and JavaScriptCore have. */
const StackError = /** @type {ErrorConstructor & { stackTraceLimit?: number }} */ (Error);

const [begin] = placesOf(firstMark());
/** @type {Place | undefined} */
let end;

/** The folder of the package, unless a bundler has moved this file. */
const folder = /^.*respool.*[/\\]pkg[/\\](?=[\w-]+\.c?js$)/.exec(begin?.file ?? "")?.[0];

/** @param {Error} mark an error created in the last statement of the library */
export function endOwnCode(mark) {
  [end] = placesOf(mark);
}

/**
 * Sets the caller's stack on an error that was just created, or on one of an awaited task. Does nothing if all frames
 * are respool's own. The stack of `error` itself isn't read: some runtimes show an uncaught error with the frames from
 * its first reading.
 *
 * @param {Error} error
 * @param {string} name
 */
export function beginStackAtCaller(error, name) {
  const { stackTraceLimit } = StackError;
  const isLimited = stackTraceLimit !== undefined && stackTraceLimit > 0;
  try {
    // Frames of respool must not push the caller's frame off the stack.
    if (isLimited) Reflect.set(Error, "stackTraceLimit", Infinity);
    const [marked, written] = [new Error(error.message), new Error(error.message)];
    const places = placesOf(marked);
    const first = places.findIndex((place) => place !== undefined && !isOwn(place));
    if (first < 0) return;
    const stack = /** @type {string} */ (written.stack);
    const frames = stack
      .trimEnd()
      .split("\n")
      .slice(first - places.length);
    // Only some engines include the message in the stack.
    const head = stack.startsWith(String(written)) ? [`${name}: ${error.message}`] : [];
    // Bun shows a stack that was assigned, not one that was defined. In Firefox it becomes enumerable.
    error.stack = [...head, ...frames.slice(0, stackTraceLimit)].join("\n");
    Object.defineProperty(error, "stack", { enumerable: false });
  } catch {
    // Stacks whose creation is customised stay unchanged.
  } finally {
    if (isLimited) Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
  }
}

/** @param {Place} place */
function isOwn({ file, line, column }) {
  if (folder !== undefined && file.startsWith(folder)) return true;
  if (begin === undefined || end === undefined || file !== begin.file) return false;
  return !isBefore({ line, column }, begin) && !isBefore(end, { line, column });
}

/** @typedef {Pick<Place, "line" | "column">} Position */

/** @type {(one: Position, other: Position) => boolean} */
const isBefore = (one, other) => one.line < other.line || (one.line === other.line && one.column < other.column);

/**
 * Returns the place of each frame, ignoring source maps; undefined for frames of the engine and of WebAssembly. The
 * error's stack must not have been read yet: it is formatted on the first reading.
 *
 * @param {Error} error
 * @returns {(Place | undefined)[]}
 */
function placesOf(error) {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  try {
    Reflect.set(Error, "prepareStackTrace", (/** @type {unknown} */ _, /** @type {CallSite[]} */ sites) =>
      sites.map(placeOfSite),
    );
    const stack = /** @type {string | (Place | undefined)[]} */ (/** @type {unknown} */ (error.stack));
    return typeof stack === "string" ? placesIn(stack) : stack;
  } finally {
    Reflect.set(Error, "prepareStackTrace", before?.value);
    if (before === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
  }
}

/** @param {CallSite} site */
function placeOfSite(site) {
  return placeOf(site.getScriptNameOrSourceURL(), site.getLineNumber(), site.getColumnNumber());
}

/**
 * Returns the places in a stack of Firefox and Safari: `function@file:line:column`.
 *
 * @param {string} stack
 */
function placesIn(stack) {
  return stack
    .trimEnd()
    .split("\n")
    .map((frame) => {
      const [, file, line, column] = /^[^@]*@(.*):(\d+):(\d+)$/.exec(frame) ?? [];
      return placeOf(file, Number(line), Number(column));
    });
}

/**
 * Returns a place; undefined for code of the runtime itself.
 *
 * @param {string | null | undefined} file
 * @param {number} line
 * @param {number} column
 * @returns {Place | undefined}
 */
function placeOf(file, line, column) {
  const isInternal = !file || /^(?:(?:node|ext|native|internal|wasm):|\[(?:wasm|native|unknown|source))/.test(file);
  return isInternal ? undefined : { file, line, column };
}
