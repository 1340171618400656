// Keeps the page responsive during long work.

const SLICE_MS = 12;

/** Returns a function to await often: every few milliseconds it lets the page handle input and paint. */
export function createYield() {
  const channel = new MessageChannel();
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await new Promise((resolve) => {
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    });
    began = performance.now();
  };
}
