// Bun.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import * as respool from "respool";
import * as agUi from "respool/ag-ui";
import * as aiSdk from "respool/ai-sdk";
import * as core from "respool/core";
import * as encode from "respool/encode";
import * as otel from "respool/otel";
import check from "../behaviour.mjs";
import { freshCopy } from "../copies.mjs";
import { checkSources } from "../slim.mjs";
import checkSubpaths from "../subpaths.mjs";

let count = await check(respool);
await checkSubpaths(respool, { otel, aiSdk, agUi, core, encode });
const required = createRequire(import.meta.url)("respool");
if (required.RespoolError !== respool.RespoolError) count += await check(required);

const bytes = new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve("respool/respool.wasm"))));
const fresh = () => freshCopy(import.meta.resolve("respool/slim"));
count += await checkSources(fresh, bytes, `data:application/wasm;base64,${bytes.toBase64()}`);
console.log(`ok: ${count} checks`);
