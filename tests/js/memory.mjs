// The package, with a view of the memory of its module: it only ever grows, so that what it has is the most it needed.

const { Instance } = WebAssembly;
let memory;

// biome-ignore lint/complexity/useArrowFunction: an arrow function is no constructor
WebAssembly.Instance = function (...given) {
  const instance = new Instance(...given);
  memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
  return instance;
};
export const { StreamAccumulator } = await import("respool");
WebAssembly.Instance = Instance;

/** How many bytes the module has. */
export const memoryBytes = () => memory.buffer.byteLength;
