// Says what is going on, but only about work that takes long enough to wonder.

const QUIET_FOR_MS = 700;

/**
 * Runs `work`, announcing `label` on stderr if it is still running after a moment, and how long it took at the
 * end. `work` is given a function that shows how far it has come.
 */
export async function announced(label, work) {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  let announcedIt = false;
  const announce = () => {
    announcedIt = true;
    console.error(`${label} …`);
  };
  const timer = setTimeout(announce, QUIET_FOR_MS);
  const report = everyFewSeconds((text) => {
    if (announcedIt) console.error(`  ${text} (${seconds()})`);
  });
  try {
    const result = await work(report);
    if (announcedIt) console.error(`${label}: done in ${seconds()}`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}

function everyFewSeconds(show) {
  let next = performance.now() + 10_000;
  return (text) => {
    if (performance.now() < next) return;
    next = performance.now() + 10_000;
    show(text);
  };
}
