// Stacks begin with the caller's frame, even in a bundle that is minified to one line.
import { equal, ok, thrownBy } from "../expect.mjs";

/** Returns the end of the path, the line and the column in the first frame of a stack, in any engine's notation. */
function placeOf({ name, message, stack }) {
  const head = `${name}: ${message}`;
  const [frame] = (stack.startsWith(head) ? stack.slice(head.length) : stack).trim().split("\n");
  const [, file, line, column] = /([^\s(@]+):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  ok(column !== undefined, `a frame with a place, not ${frame}`);
  return { file, line: Number(line), column: Number(column) };
}

/** The distance that a bundler may put between two functions of one line. */
const [LINES, COLUMNS] = [4, 300];

/**
 * `here` is an error created in the line of `call`. `call` must not return the result of its call: Safari and Bun drop the
 * frame of a function that does.
 */
async function checkCaller(here, call) {
  const [expected, actual] = [here, await thrownBy(call, "a call")].map(placeOf);
  equal(actual.file, expected.file, "the file of the first frame");
  const lines = actual.line - expected.line;
  const isNear = lines === 0 ? Math.abs(actual.column - expected.column) < COLUMNS : lines > 0 && lines < LINES;
  ok(isNear, `a frame near ${JSON.stringify(expected)}, not ${JSON.stringify(actual)}`);
}

export default {
  "of an error from the module": ({ decode }) => checkCaller(new Error("here"), () => void decode({})),

  "of an error from an object of the module"({ StreamAccumulator }) {
    const accumulator = new StreamAccumulator();
    accumulator.finish();
    return checkCaller(new Error("here"), () => void accumulator.push({}));
  },

  "of an error in options": ({ StreamAccumulator }) =>
    checkCaller(new Error("here"), () => void new StreamAccumulator({ unknown: 1 })),

  "of an error in an argument": ({ parsePartialJson }) => checkCaller(new Error("here"), () => void parsePartialJson(5)),

  "of an error that a program makes of a class": ({ RespoolError }) =>
    checkCaller(new Error("here"), () => {
      throw new RespoolError("mine", "a message");
    }),

  "the name, the message and the limit of stacks stay"({ decode, DecodeError }) {
    const { stackTraceLimit } = Error;
    return thrownBy(() => decode({}), "decode").then((error) => {
      ok(error instanceof DecodeError && error.name === "DecodeError", `a DecodeError, not ${error}`);
      equal(DecodeError.name, "DecodeError", "the name of the class");
      equal(Object.keys(error).includes("name") || Object.keys(error).includes("stack"), false, "an enumerable name or stack");
      equal(Error.stackTraceLimit, stackTraceLimit, "the limit");
    });
  },
};
