// Node with require.
const { readFileSync } = require("node:fs");
const respool = require("respool");

(async () => {
  const { default: check } = await import("../behaviour.mjs");
  let count = await check(respool);

  const { default: checkSubpaths } = await import("../subpaths.mjs");
  await checkSubpaths(respool, {
    otel: require("respool/otel"),
    aiSdk: require("respool/ai-sdk"),
    agUi: require("respool/ag-ui"),
    core: require("respool/core"),
    encode: require("respool/encode"),
  });

  // The file that `require` loads in versions in which it can't load ES modules.
  const commonjs = require("../node_modules/respool/pkg/node.cjs");
  if (commonjs !== respool) count += await check(commonjs);

  const bytes = readFileSync(require.resolve("respool/respool.wasm"));
  const path = require.resolve("../node_modules/respool/pkg/slim.cjs");
  const fresh = async () => {
    delete require.cache[path];
    return require(path);
  };
  const { checkSources } = await import("../slim.mjs");
  count += await checkSources(fresh, bytes, `data:application/wasm;base64,${bytes.toString("base64")}`);

  console.log(`ok: ${count} checks`);
})();
