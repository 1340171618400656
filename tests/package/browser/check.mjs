// A browser without a bundler: it loads the published files, and fetches the module for the slim entry.
import * as respool from "../node_modules/respool/pkg/index.js";
import * as slim from "../node_modules/respool/pkg/slim.js";
import check from "../behaviour.mjs";
import checkSlim, { checkShared, checkSources } from "../slim.mjs";
import { showOutcome } from "./outcome.mjs";

const PKG = "/node_modules/respool/pkg";

await showOutcome(async () => {
  let count = await check(respool);
  const response = await fetch(`${PKG}/respool.wasm`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  let copies = 0;
  const fresh = () => import(`${PKG}/slim.js?copy=${copies++}`);
  count += await checkSources(fresh, bytes, new URL(`${PKG}/respool.wasm`, location.href).href);
  checkShared(slim, respool);
  await checkSlim(await fresh(), () => fetch(`${PKG}/respool.wasm`));
  return count;
});
