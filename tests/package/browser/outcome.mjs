// How a page tells what came of its checks: by an attribute of the document.

/** Runs `work`, which gives how many checks there were, or why there can be none as `{ skipped }`. */
export async function told(work) {
  const outcome = await work().then(
    (result) => (result.skipped ? `skipped: ${result.skipped}` : `ok: ${result} checks`),
    (error) => `${error}\n${error.stack}`, // not every browser has the message in the stack
  );
  document.documentElement.dataset.outcome = outcome;
}
