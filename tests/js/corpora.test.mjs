// Passes every input in the repository to every public function, which must return a result or throw a typed error. Other
// tests check the results.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { after, describe, test } from "node:test";
import { Worker } from "node:worker_threads";
import { ROOT } from "../../scripts/paths.mjs";

function filesUnder(folder) {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

const worker = new Worker(new URL("corpora-worker.mjs", import.meta.url));
after(() => worker.terminate());

for (const folder of ["tests/fixtures", "samples"]) {
  describe(folder, () => {
    const files = filesUnder(folder);
    test("has files", () => assert.ok(files.length > 0));

    for (const path of files) {
      test(relative(folder, relative(ROOT, path)), async () => {
        worker.postMessage(path);
        const [{ problems, requests }] = await once(worker, "message");
        assert.deepEqual(problems, []);
        assert.equal(requests, 0);
      });
    }
  });
}
