// The behaviour suite on the packed package, without a bundler, under a policy as strict as WebAssembly allows.
import { packAndInstall } from "../package/consumer.mjs";
import { serve } from "../../scripts/www/serve.mjs";
import { openPage } from "./drivers/chromium.mjs";

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

export async function checkPackage(browser) {
  const { folder } = await packAndInstall();
  const server = await serve(folder, { headers: { "Content-Security-Policy": POLICY } });
  const { page, complaints } = await openPage(browser);
  try {
    await page.goto(`${server.origin}/browser/index.html`);
    const outcome = page.locator("html[data-outcome]");
    await outcome.waitFor({ state: "attached", timeout: 30_000 });
    const text = await outcome.getAttribute("data-outcome");
    if (text !== "ok") throw new Error(text);
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
  } finally {
    await page.close();
    server.close();
  }
}
