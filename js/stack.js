/**
 * The stack of an error begins with the caller's frame, as if the public function itself had thrown it: frames of respool
 * tell its users nothing. A frame is respool's own if its file is in the package, or, as bundlers rename functions and merge
 * files, if it lies between two marks: the first function of this file, which a library imports first, and the library's last
 * statement.
 */

/** A function, because some bundlers move functions to before all statements. */
function firstMark() {
  return new Error("the first function of the library");
}

/** @typedef {{ file: string, line: number, column: number }} Place */
/** @typedef {{ getScriptNameOrSourceURL(): string | null, getLineNumber(): number, getColumnNumber(): number }} CallSite */

/** V8 and JavaScriptCore have it. */
const StackError = /** @type {ErrorConstructor & { stackTraceLimit?: number }} */ (Error);

const [begin] = placesOf(firstMark());
/** @type {Place | undefined} */
let end;

/** Where the package is, as long as no bundler has moved this file. */
const folder = /^.*respool.*[/\\]pkg[/\\](?=[\w-]+\.c?js$)/.exec(begin?.file ?? "")?.[0];

/** @param {Error} mark an error that is created in the last statement of the library */
export function endOwnCode(mark) {
  [end] = placesOf(mark);
}

/**
 * Gives an error that was just created, or one of another task that the caller awaits, the stack of the caller. Nothing
 * changes where all frames are respool's own. The stack of `error` itself is not read: some runtimes show an uncaught error
 * with the frames that they have seen then.
 *
 * @param {Error} error
 * @param {string} name
 */
export function beginStackAtCaller(error, name) {
  const { stackTraceLimit } = StackError;
  const isLimited = stackTraceLimit !== undefined && stackTraceLimit > 0;
  try {
    // Frames of respool must not keep the caller's frame off the stack.
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
    // Only some engines have the message in the stack.
    const head = stack.startsWith(String(written)) ? [`${name}: ${error.message}`] : [];
    // Bun shows a stack that was assigned, not one that was defined. In Firefox it becomes enumerable.
    error.stack = [...head, ...frames.slice(0, stackTraceLimit)].join("\n");
    Object.defineProperty(error, "stack", { enumerable: false });
  } catch {
    // Whoever has replaced how stacks are made gets them that way.
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
 * Where the code of each frame stands, whatever source maps say; undefined for frames of the engine and of WebAssembly. The
 * error must not have been looked at: its stack is formatted when it is first read.
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
 * The places in a stack as Firefox and Safari write it: `function@file:line:column`.
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
 * Undefined for the code of the runtime itself.
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
