// Node, by require.
const respool = require("respool");
const slim = require("respool/slim");

(async () => {
  const { default: check } = await import("../behaviour.mjs");
  await check(respool);

  const { default: checkSubpaths } = await import("../subpaths.mjs");
  await checkSubpaths(respool, require("respool/otel"), require("respool/ai-sdk"));

  // What `require` gets where it can't load ES modules.
  const commonjs = require("../node_modules/respool/pkg/index.cjs");
  await check(commonjs);

  slim.initSync(require("node:fs").readFileSync(require.resolve("respool/respool.wasm")));
  await check(slim);
})();
