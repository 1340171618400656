// The application that is bundled: a page that checks the package, and the slim entry by the address of the module.
import * as slim from "respool/slim";
import check from "../behaviour.mjs";
import { told } from "../browser/outcome.mjs";
import checkSlim, { checkShared } from "../slim.mjs";
import checkSubpaths from "../subpaths.mjs";

/** `address` is where the bundler has put the module. */
export function checkPage(address) {
  return told(async () => {
    await checkSlim(slim, async () => address);
    // The main entry initialises the same library, so it is loaded afterwards.
    const imports = [import("respool/otel"), import("respool/ai-sdk"), import("respool/ag-ui")];
    const modules = [import("respool/core"), import("respool/encode")];
    const [otel, aiSdk, agUi, core, encode] = await Promise.all([...imports, ...modules]);
    const respool = await import("respool");
    checkShared(slim, respool);
    const count = await check(respool);
    await checkSubpaths(respool, { otel, aiSdk, agUi, core, encode });
    return count;
  });
}
