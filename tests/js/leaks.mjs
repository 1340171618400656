// The package, with a count of the objects of its module that are there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MODULES } from "../../scripts/build/modules.mjs";
import { ROOT } from "../../scripts/paths.mjs";

const { Instance } = WebAssembly;
const names = JSON.parse(readFileSync(join(ROOT, MODULES.fast.folder, "wasm", "names.json"), "utf8")).exports;
/** What an export is called after the module was optimised. */
const short = (name) => names.find(([long]) => long === name)[1];
let memory;
const live = { accumulator: 0, requestmachine: 0 };

// biome-ignore lint/complexity/useArrowFunction: an arrow function is no constructor
WebAssembly.Instance = function (...given) {
  const instance = new Instance(...given);
  const exports = { ...instance.exports };
  memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
  for (const name of Object.keys(live)) {
    const [newName, freeName] = [short(`${name}_new`), short(`__wbg_${name}_free`)];
    const { [newName]: make, [freeName]: free } = exports;
    exports[newName] = (...parts) => {
      live[name] += 1;
      return make(...parts);
    };
    exports[freeName] = (...parts) => {
      live[name] -= 1;
      return free(...parts);
    };
  }
  return { exports };
};
export const respool = await import("respool");
WebAssembly.Instance = Instance;

/** How many accumulators and requests have not been freed. */
export const liveObjects = () => live.accumulator + live.requestmachine;

/** How many bytes the module has. */
export const moduleBytes = () => memory.buffer.byteLength;
