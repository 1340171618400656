// Registers the service worker and shows the outcome of its checks.
import { showOutcome } from "../browser/outcome.mjs";

const register = (path) => navigator.serviceWorker.register(path, { type: "module" });

await showOutcome(async () => {
  try {
    await register("./worker.mjs");
  } catch (error) {
    // Older versions of Firefox don't support imports in a service worker.
    const hasModules = await register("./importer.mjs").then(
      () => true,
      () => false,
    );
    if (hasModules) throw error;
    return { skipped: "this version has no modules in service workers" };
  }
  const { active } = await navigator.serviceWorker.ready;
  const answered = new Promise((resolve) => {
    navigator.serviceWorker.onmessage = resolve;
  });
  active.postMessage("check");
  const { count, error } = (await answered).data;
  if (error !== undefined) throw new Error(error);
  return count;
});
