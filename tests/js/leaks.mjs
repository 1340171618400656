// The package, with a count of the objects of its module that are there.

const { Instance } = WebAssembly;
let memory;
const live = { accumulator: 0, requestmachine: 0 };

WebAssembly.Instance = function (...given) {
  const instance = new Instance(...given);
  const exports = { ...instance.exports };
  memory = exports.memory;
  for (const name of Object.keys(live)) {
    const { [`${name}_new`]: make, [`__wbg_${name}_free`]: free } = exports;
    exports[`${name}_new`] = (...parts) => {
      live[name] += 1;
      return make(...parts);
    };
    exports[`__wbg_${name}_free`] = (...parts) => {
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
