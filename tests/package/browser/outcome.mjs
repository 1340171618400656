// A page shows the outcome of its checks in an attribute of the document.

/** Runs `work`, which resolves with the number of checks, or with `{ skipped }`, the reason for running none. */
export async function showOutcome(work) {
  const outcome = await work().then(
    (result) => (result.skipped ? `skipped: ${result.skipped}` : `ok: ${result} checks`),
    (error) => `${error}\n${error.stack}`, // not every browser has the message in the stack
  );
  document.documentElement.dataset.outcome = outcome;
}
