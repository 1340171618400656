// A Worker that checks the package in a request, where compiling WebAssembly from bytes is forbidden.
import module from "respool/respool.wasm";
import * as slim from "respool/slim";
import check from "../behaviour.mjs";
import checkSlim, { checkShared } from "../slim.mjs";
import checkSubpaths from "../subpaths.mjs";

export default {
  async fetch() {
    try {
      await checkSlim(slim, async () => module);
      // The main entry initialises the same library, so it is loaded afterwards.
      const imports = [import("respool/otel"), import("respool/ai-sdk"), import("respool/ag-ui")];
      const modules = [import("respool/core"), import("respool/encode")];
      const [otel, aiSdk, agUi, core, encode] = await Promise.all([...imports, ...modules]);
      const respool = await import("respool");
      checkShared(slim, respool);
      const count = await check(respool);
      await checkSubpaths(respool, { otel, aiSdk, agUi, core, encode });
      return new Response(`ok: ${count} checks`);
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  },
};
