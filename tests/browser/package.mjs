// The test suite on the packed package, under the strictest policy that WebAssembly allows: on a plain page and in an
// application built by each bundler.
import { BUNDLED } from "../package/bundlers/build.mjs";
import { packAndInstall } from "../package/consumer.mjs";
import { MissingRuntime } from "../../scripts/test/runtimes/missing.mjs";
import { serve } from "../../scripts/www/serve.mjs";

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

/**
 * The pages, each with a check that `open` opens a browser page for. The first check installs the package and starts the
 * server; `end` stops it.
 */
export function packagePages() {
  let started;
  const served = () => (started ??= serveInstalled());
  const built = new Map();
  const checkOf = (path, build) => async (open) => {
    const { folder, server } = await served();
    if (build !== undefined && !built.has(path)) built.set(path, build(folder));
    await built.get(path);
    await checkPage(await open(), `${server.origin}/${path}`);
  };
  return {
    all: [
      { name: "the packed package", form: "a page without a bundler", check: checkOf("browser/index.html") },
      { name: "a service worker", form: "a service worker", check: checkOf("service-worker/index.html") },
      ...BUNDLED.map(({ name, version, path, build }) => ({
        name: `built by ${name}`,
        bundler: { name, version },
        check: checkOf(path, build),
      })),
    ],
    end: async () => (await started)?.server.close(),
  };
}

async function serveInstalled() {
  const { folder } = await packAndInstall();
  return { folder, server: await serve(folder, { headers: { "Content-Security-Policy": POLICY } }) };
}

async function checkPage(driver, address) {
  try {
    await driver.goto(address);
    await driver.until(() => document.documentElement.dataset.outcome !== undefined, undefined, "outcome");
    const outcome = await driver.evaluate(() => document.documentElement.dataset.outcome);
    if (outcome.startsWith("skipped: ")) throw new MissingRuntime(outcome.slice("skipped: ".length));
    if (!outcome.startsWith("ok: ")) throw new Error(outcome);
    if (driver.complaints.length > 0) throw new Error(driver.complaints.join("\n"));
  } finally {
    await driver.close();
  }
}
