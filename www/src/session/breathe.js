// Lets the page answer while something long is under way.

const TURN_MS = 12;

/** A function to be awaited often: every so often it waits until the page has had its turn. */
export function breathe() {
  const channel = new MessageChannel();
  let began = performance.now();
  return async () => {
    if (performance.now() - began < TURN_MS) return;
    await new Promise((resolve) => {
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    });
    began = performance.now();
  };
}
