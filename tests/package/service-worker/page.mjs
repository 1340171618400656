// Registers the service worker and shows what it answers.
import { told } from "../browser/outcome.mjs";

await told(async () => {
  await navigator.serviceWorker.register("./worker.mjs", { type: "module" });
  const { active } = await navigator.serviceWorker.ready;
  const answered = new Promise((resolve) => {
    navigator.serviceWorker.onmessage = resolve;
  });
  active.postMessage("check");
  const { count, error } = (await answered).data;
  if (error !== undefined) throw new Error(error);
  return count;
});
