// Deno without permissions.
import * as respool from "respool";
import * as agUi from "respool/ag-ui";
import * as aiSdk from "respool/ai-sdk";
import * as core from "respool/core";
import * as encode from "respool/encode";
import * as otel from "respool/otel";
import check from "../behaviour.mjs";
import checkSubpaths from "../subpaths.mjs";

const count = await check(respool);
await checkSubpaths(respool, { otel, aiSdk, agUi, core, encode });
console.log(`ok: ${count} checks`);
