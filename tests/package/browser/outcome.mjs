// How a page tells what came of its checks: by an attribute of the document.

/** Runs `work`, which gives how many checks there were. */
export async function told(work) {
  const outcome = await work().then(
    (count) => `ok: ${count} checks`,
    (error) => String(error.stack),
  );
  document.documentElement.dataset.outcome = outcome;
}
