/**
 * The stack of an error begins with the caller's frame, as if the public function itself had thrown it: frames of respool
 * tell its users nothing. A frame is respool's own if it lies between two marks: the first statement of this file, which a
 * library imports first, and its last statement. Names and files can't tell, because bundlers rename functions and merge
 * files.
 */

const [begin] = placesOf(new Error());
let end;

/** `mark`: an error that is created in the last statement of the library. */
export function endOwnCode(mark) {
  [end] = placesOf(mark);
}

/**
 * Has engines record whole stacks, so that the caller's frame isn't cut off by frames of respool; returns the limit that
 * was in force. Some environments freeze `Error`.
 */
export function recordWholeStacks() {
  const { stackTraceLimit } = Error;
  if (stackTraceLimit > 0) Reflect.set(Error, "stackTraceLimit", Infinity);
  return stackTraceLimit;
}

/** Takes respool's own frames off an error that was just created, and puts the limit of stacks in force again. */
export function beginStackAtCaller(error, header, limit) {
  try {
    const places = placesOf(new Error());
    const first = places.findIndex((place) => place !== undefined && !isOwn(place));
    if (first < 0) return;
    const lines = error.stack.trimEnd().split("\n");
    const frames = lines.slice(first - places.length).slice(0, limit);
    // Only some engines have the message in the stack.
    const head = error.stack.startsWith(String(error)) ? [header] : [];
    Object.defineProperty(error, "stack", { value: [...head, ...frames].join("\n"), writable: true, configurable: true });
  } catch {
    // Whoever has replaced how stacks are made gets them that way.
  } finally {
    if (limit > 0) Reflect.set(Error, "stackTraceLimit", limit);
  }
}

function isOwn({ file, line, column }) {
  return file === begin.file && !isBefore({ line, column }, begin) && !isBefore(end, { line, column });
}

const isBefore = (one, other) => one.line < other.line || (one.line === other.line && one.column < other.column);

/**
 * Where the code of each frame stands, whatever source maps say; undefined for frames of the engine and of WebAssembly. The
 * error must not have been looked at: its stack is formatted when it is first read.
 */
function placesOf(error) {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  try {
    Error.prepareStackTrace = (_, sites) => sites.map(placeOfSite);
    return typeof error.stack === "string" ? placesIn(error.stack) : error.stack;
  } finally {
    if (before === undefined) delete Error.prepareStackTrace;
    else Object.defineProperty(Error, "prepareStackTrace", before);
  }
}

function placeOfSite(site) {
  return placeOf(site.getScriptNameOrSourceURL(), site.getLineNumber(), site.getColumnNumber());
}

/** The places in a stack as Firefox and Safari write it: `function@file:line:column`. */
function placesIn(stack) {
  return stack
    .trimEnd()
    .split("\n")
    .map((frame) => {
      const [, file, line, column] = /^[^@]*@(.*):(\d+):(\d+)$/.exec(frame) ?? [];
      return placeOf(file, Number(line), Number(column));
    });
}

/** What runtimes call files of their own. */
const INTERNAL = /^(?:node|ext|native|internal|wasm):/;

function placeOf(file, line, column) {
  return !file || INTERNAL.test(file) ? undefined : { file, line, column };
}
