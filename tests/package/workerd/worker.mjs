// A Worker that checks the package in a request, where compiling WebAssembly from bytes is forbidden.
import * as respool from "respool";
import * as aiSdk from "respool/ai-sdk";
import * as otel from "respool/otel";
import module from "respool/respool.wasm";
import * as slim from "respool/slim";
import check from "../behaviour.mjs";
import checkSlim from "../slim.mjs";
import checkSubpaths from "../subpaths.mjs";

export default {
  async fetch() {
    try {
      let count = await check(respool);
      await checkSubpaths(respool, otel, aiSdk);
      await checkSlim(slim, async () => module);
      count += await check(slim);
      return new Response(`ok: ${count} checks`);
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  },
};
