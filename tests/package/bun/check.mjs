// Bun.
import { createRequire } from "node:module";
import * as respool from "respool";
import * as aiSdk from "respool/ai-sdk";
import * as otel from "respool/otel";
import check from "../behaviour.mjs";
import checkSubpaths from "../subpaths.mjs";

await check(respool);
await checkSubpaths(respool, otel, aiSdk);
await check(createRequire(import.meta.url)("respool"));
