// The package, with a view of its module's memory. It never shrinks, so its size is the peak usage.

const { Instance } = WebAssembly;
let memory;

// biome-ignore lint/complexity/useArrowFunction: an arrow function isn't a constructor
WebAssembly.Instance = function (...given) {
  const instance = new Instance(...given);
  memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
  return instance;
};
export const { StreamAccumulator } = await import("respool");
WebAssembly.Instance = Instance;

/** Returns the size of the module's memory in bytes. */
export const memoryBytes = () => memory.buffer.byteLength;
