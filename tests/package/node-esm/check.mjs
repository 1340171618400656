// Node, by import: and what only Node has, a second way to load the same package.
import { ok } from "../expect.mjs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import * as respool from "respool";
import * as aiSdk from "respool/ai-sdk";
import * as otel from "respool/otel";
import * as slim from "respool/slim";
import check from "../behaviour.mjs";
import checkSlim from "../slim.mjs";
import checkSubpaths from "../subpaths.mjs";

await check(respool);
await checkSubpaths(respool, otel, aiSdk);

const require = createRequire(import.meta.url);
await checkSlim(slim, () => readFile(require.resolve("respool/respool.wasm")));
await check(slim);

// Where require can load ES modules, both ways have to lead to one instance, or errors of the one would not be
// instances of the other's classes.
const required = require("respool");
if (process.features.require_module) {
  ok(required.RespoolError === respool.RespoolError, "import and require to give the same module");
}

// Two copies can't be avoided everywhere: an error still has to be known.
for (const copy of [slim, required]) {
  try {
    copy.process({}, null);
    ok(false, "an error");
  } catch (error) {
    ok(respool.RespoolError.isInstance(error), "an error of another copy to be known");
  }
}
