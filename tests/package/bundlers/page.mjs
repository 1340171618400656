// The application that is bundled: a page that checks the package, and the slim entry by the address of the module.
import * as respool from "respool";
import * as aiSdk from "respool/ai-sdk";
import * as otel from "respool/otel";
import * as slim from "respool/slim";
import check from "../behaviour.mjs";
import { told } from "../browser/outcome.mjs";
import checkSlim from "../slim.mjs";
import checkSubpaths from "../subpaths.mjs";

/** `address` is where the bundler has put the module. */
export function checkPage(address) {
  return told(async () => {
    let count = await check(respool);
    await checkSubpaths(respool, otel, aiSdk);
    await checkSlim(slim, async () => address);
    count += await check(slim);
    return count;
  });
}
