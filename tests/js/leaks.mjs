// The package, with a count of the objects of its module that are there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MODULES } from "../../scripts/build/modules.mjs";
import { ROOT } from "../../scripts/paths.mjs";

/** What the module calls its functions by: see scripts/build/short_names.mjs. */
const NAMES = new Map(JSON.parse(readFileSync(join(ROOT, MODULES.fast.folder, "wasm", "names.json"), "utf8")).exports);

const CLASSES = ["accumulator", "requestmachine"];

const { Instance } = WebAssembly;
let live = 0;
let memory;

WebAssembly.Instance = function (...given) {
  const instance = new Instance(...given);
  const exports = { ...instance.exports };
  memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
  const count = (name, by) => {
    const call = exports[NAMES.get(name)];
    exports[NAMES.get(name)] = (...parts) => {
      live += by;
      return call(...parts);
    };
  };
  for (const name of CLASSES) {
    count(`${name}_new`, 1);
    count(`__wbg_${name}_free`, -1);
  }
  return { exports };
};
export const respool = await import("respool");
WebAssembly.Instance = Instance;

/** How many accumulators and requests have not been freed. */
export const liveObjects = () => live;

/** How many bytes the module has. */
export const moduleBytes = () => memory.buffer.byteLength;
