// The application that is bundled: a page that checks the package, and the slim entry with the module's URL.
import * as slim from "respool/slim";
import check from "../behaviour.mjs";
import { showOutcome } from "../browser/outcome.mjs";
import checkSlim, { checkShared } from "../slim.mjs";
import checkSubpaths from "../subpaths.mjs";

/** Runs the checks. `address` is the URL of the module in the bundle. */
export function checkPage(address) {
  return showOutcome(async () => {
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
