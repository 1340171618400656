// The table of docs/errors.md, run in a browser: the same functions fail in the same way as in Node.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/paths.mjs";
import { closedAddress, startFailingServer } from "../failures/server.mjs";

const PAGE = (closed) => `<!doctype html>
<link rel="icon" href="data:," />
<script type="importmap">{ "imports": { "respool": "/pkg/index.js" } }</script>
<script type="module">
  import * as respool from "/pkg/index.js";
  import * as agUi from "/pkg/ag-ui.js";
  import * as aiSdk from "/pkg/ai-sdk.js";
  import { runTable, toMarkdown } from "/tests/failures/table.mjs";
  const rows = await runTable(respool, { ...aiSdk, ...agUi }, { url: location.origin, closed: ${JSON.stringify(closed)} });
  document.documentElement.dataset.outcome = toMarkdown(rows);
</script>`;

/** The check. `open` opens a browser page for it. */
export function failureChecks(open) {
  return [{ name: "the table of failures", run: () => runInPage(open) }];
}

async function runInPage(open) {
  const page = PAGE(await closedAddress());
  const server = await startFailingServer((request, response) => {
    const isFile = /^\/(?:pkg|tests\/failures)\/[\w/-]+\.m?js$/.test(request.url);
    response.setHeader("content-type", isFile ? "text/javascript" : "text/html");
    response.end(isFile ? readFileSync(join(ROOT, request.url)) : page);
  });
  const driver = await open();
  try {
    await driver.goto(`${server.url}/`);
    await driver.until(() => document.documentElement.dataset.outcome !== undefined, undefined, "outcome");
    const table = await driver.evaluate(() => document.documentElement.dataset.outcome);
    const guide = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");
    assert.ok(guide.includes(table), `docs/errors.md has another table than\n${table}`);
  } finally {
    await driver.close();
    await server.close();
  }
}
