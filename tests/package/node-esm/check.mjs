// Node with import, and also with require, which loads the same package in a second way.
import { ok } from "../expect.mjs";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as respool from "respool";
import * as agUi from "respool/ag-ui";
import * as aiSdk from "respool/ai-sdk";
import * as core from "respool/core";
import * as encode from "respool/encode";
import * as otel from "respool/otel";
import * as slim from "respool/slim";
import check from "../behaviour.mjs";
import { freshCopy } from "../copies.mjs";
import checkSlim, { checkSources } from "../slim.mjs";
import checkSubpaths from "../subpaths.mjs";

let count = await check(respool);
await checkSubpaths(respool, { otel, aiSdk, agUi, core, encode });

const require = createRequire(import.meta.url);
const bytes = readFileSync(require.resolve("respool/respool.wasm"));
const address = `data:application/wasm;base64,${bytes.toString("base64")}`;
count += await checkSources(() => freshCopy(import.meta.resolve("respool/slim")), bytes, address);
await checkSlim(slim, async () => bytes);
count += await check(slim);

// If require can load ES modules, both ways must load the same instance. Otherwise, errors of one wouldn't be instances of
// the other's classes.
const required = require("respool");
if (process.features.require_module) {
  ok(required.RespoolError === respool.RespoolError, "import and require to give the same module");
}

// Several copies can't always be avoided, but isInstance must still recognise their errors.
for (const copy of [slim, required]) {
  try {
    copy.process({}, null);
    ok(false, "an error");
  } catch (error) {
    ok(respool.RespoolError.isInstance(error), "an error of another copy to be known");
  }
}
console.log(`ok: ${count} checks`);
