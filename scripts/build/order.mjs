// Compression finds what is alike only where it lies near. This puts the functions of a module in an order in which
// each comes after others that it resembles.

/** What makes functions alike: having the same runs of so many bytes. */
const RUN = 6;

/** So many bytes back is looked. Compression looks further, but says with fewer bits what is near. */
const WINDOW = 16384;

/** Added to the size of functions, which would be in place by a few chance runs if they are very small. */
const CHANCE = 20;

/** The passes of Binaryen that put functions in the order of their names, and then forget the names. */
export const BY_NAME = ["--reorder-functions-by-name", "--strip-debug"];

/** A module with names for its functions that tell their order. It must not have names already. */
export function withOrderAsNames(module) {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(module)).filter(({ kind }) => kind === "function");
  const order = orderOf(functionsIn(module));
  const digits = String(order.length).length;
  const names = order.map((nth, place) => [imports.length + nth, String(place).padStart(digits, "0")]);
  const map = names.sort(([a], [b]) => a - b).flatMap(([nth, name]) => [...unsigned(nth), ...sized(Buffer.from(name))]);
  const section = [...sized(Buffer.from("name")), FUNCTION_NAMES, ...sized([...unsigned(names.length), ...map])];
  return Buffer.concat([module, Buffer.from([CUSTOM_SECTION, ...sized(section)])]);
}

/** Which function comes first, which one next: always the one of whose runs most are in the window. */
export function orderOf(functions) {
  const runs = functions.map((body) => [...new Set(runsOf(body))]);
  const known = new Map();
  for (const [nth, own] of runs.entries()) {
    for (const run of own) {
      if (!known.has(run)) known.set(run, { functions: [], near: 0 });
      known.get(run).functions.push(nth);
    }
  }
  /** How many runs of each function are in the window. */
  const shared = new Uint32Array(functions.length);
  const count = (run, by) => {
    for (const nth of run.functions) shared[nth] += by;
  };
  const enter = (run) => run.near++ === 0 && count(run, 1);
  const leave = (run) => --run.near === 0 && count(run, -1);
  const eachRun = (nth, act) => runs[nth].forEach((run) => act(known.get(run)));

  const left = new Set(functions.keys());
  const order = [];
  let [first, size] = [0, 0];
  while (left.size > 0) {
    const next = likest(left, (nth) => shared[nth] / (runs[nth].length + CHANCE));
    left.delete(next);
    order.push(next);
    eachRun(next, enter);
    size += functions[next].length;
    while (size > WINDOW) {
      eachRun(order[first], leave);
      size -= functions[order[first++]].length;
    }
  }
  return order;
}

function likest(candidates, likeness) {
  let [best, most] = [undefined, -1];
  for (const candidate of candidates) {
    const value = likeness(candidate);
    if (value > most) [best, most] = [candidate, value];
  }
  return best;
}

function* runsOf(body) {
  for (let at = 0; at + RUN <= body.length; at++) yield body.toString("latin1", at, at + RUN);
}

const CUSTOM_SECTION = 0;
const CODE_SECTION = 10;
const FUNCTION_NAMES = 1;

/** The code of each function. */
function functionsIn(module) {
  let at = 8;
  const number = () => {
    let [value, shift] = [0, 0];
    do {
      value |= (module[at] & 0x7f) << shift;
      shift += 7;
    } while (module[at++] & 0x80);
    return value;
  };
  while (module[at++] !== CODE_SECTION) {
    const length = number();
    at += length;
  }
  number();
  return Array.from({ length: number() }, () => {
    const length = number();
    at += length;
    return module.subarray(at - length, at);
  });
}

/** Bytes behind their number. */
const sized = (bytes) => [...unsigned(bytes.length), ...bytes];

/** A number as WebAssembly writes it: seven bits a byte, and one that says whether more follow. */
function unsigned(number) {
  return number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...unsigned(number >>> 7)];
}
