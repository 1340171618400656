// A Worker that checks the package in a request, where compiling WebAssembly from bytes is forbidden.
import * as respool from "respool";
import check from "../behaviour.mjs";

export default {
  async fetch() {
    try {
      await check(respool);
      return new Response("ok");
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  },
};
