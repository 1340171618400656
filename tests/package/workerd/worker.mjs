// A Worker that checks the package in a request, where compiling WebAssembly from bytes is forbidden.
import * as respool from "respool";
import * as aiSdk from "respool/ai-sdk";
import * as otel from "respool/otel";
import check from "../behaviour.mjs";
import checkSubpaths from "../subpaths.mjs";

export default {
  async fetch() {
    try {
      await check(respool);
      await checkSubpaths(respool, otel, aiSdk);
      return new Response("ok");
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  },
};
