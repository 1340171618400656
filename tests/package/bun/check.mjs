// Bun.
import { createRequire } from "node:module";
import * as respool from "respool";
import check from "../behaviour.mjs";

await check(respool);
await check(createRequire(import.meta.url)("respool"));
