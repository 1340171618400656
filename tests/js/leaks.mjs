// The package, with a count of its module's live objects.
const { Instance } = WebAssembly;
let memory;
const live = { accumulator: 0, requestmachine: 0 };

// biome-ignore lint/complexity/useArrowFunction: an arrow function isn't a constructor
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

/** Returns the number of accumulators and requests that are not freed. */
export const liveObjects = () => live.accumulator + live.requestmachine;

/** Returns the size of the module's memory in bytes. */
export const moduleBytes = () => memory.buffer.byteLength;
