// A browser without a bundler: the files as they are, and the module fetched for the slim entry.
import * as respool from "../node_modules/respool/pkg/index.js";
import * as slim from "../node_modules/respool/pkg/slim.js";
import check from "../behaviour.mjs";
import checkSlim from "../slim.mjs";

async function outcome() {
  try {
    await check(respool);
    await checkSlim(slim, () => fetch("/node_modules/respool/pkg/respool.wasm"));
    await check(slim);
    return "ok";
  } catch (error) {
    return error.stack;
  }
}

document.documentElement.dataset.outcome = await outcome();
