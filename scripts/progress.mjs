// Reports progress, but only for work that takes a while.

const QUIET_FOR_MS = 700;
const REPORT_EVERY_MS = 10_000;

/**
 * Runs `work`. If it takes longer than a moment, prints `label` on stderr, and at the end the duration.
 *
 * @template T
 * @param {string} label
 * @param {(report: (progress: string) => void) => T | Promise<T>} work `report` prints progress now and then
 * @returns {Promise<T>}
 */
export async function announced(label, work) {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  let isAnnounced = false;
  const timer = setTimeout(() => {
    isAnnounced = true;
    console.error(`${label} …`);
  }, QUIET_FOR_MS);
  const report = everyFewSeconds((progress) => {
    if (isAnnounced) console.error(`  ${progress} (${seconds()})`);
  });
  try {
    const result = await work(report);
    if (isAnnounced) console.error(`${label}: done in ${seconds()}`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}

/** @param {(text: string) => void} show @returns {(text: string) => void} */
function everyFewSeconds(show) {
  let next = performance.now() + REPORT_EVERY_MS;
  return (text) => {
    if (performance.now() < next) return;
    next = performance.now() + REPORT_EVERY_MS;
    show(text);
  };
}
