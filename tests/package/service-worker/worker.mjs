// A service worker, which loads modules before it is installed and can't import more later.
import * as respool from "../node_modules/respool/pkg/index.js";
import check from "../behaviour.mjs";

addEventListener("message", ({ source }) => {
  check(respool).then(
    (count) => source.postMessage({ count }),
    (error) => source.postMessage({ error: String(error.stack) }),
  );
});
