// The package, with a count of the objects of its module that are there.
const { Instance } = WebAssembly;
let memory;
const live = { accumulator: 0, requestmachine: 0 };

// biome-ignore lint/complexity/useArrowFunction: an arrow function is no constructor
WebAssembly.Instance = function (...given) {
  const instance = new Instance(...given);
  const exports = { ...instance.exports };
  memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
  for (const name of Object.keys(live)) {
    const [makeName, freeName] = [`${name}_new`, `__wbg_${name}_free`];
    const { [makeName]: make, [freeName]: free } = exports;
    exports[makeName] = (...parts) => {
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
