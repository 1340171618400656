// TypeScript, in a project that has installed the package: the tests of the types, with each module resolution, from ES
// modules and from CommonJS. The declarations themselves are checked, too.
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../../../scripts/paths.mjs";
import { runCommand } from "../../../scripts/run-command.mjs";

const [, , folder, moduleResolution] = process.argv;
const TESTS = join(ROOT, "tests", "types");

/** Tests with validators and SDKs, whose declarations take longest to check. Only the repository itself compiles them. */
const WITH_LARGE_PACKAGES = ["outputs.ts", "outputs-arktype.ts", "runner-sdks.ts", "tool.ts"];
/** Tests for ES modules only: they use top-level `await`, or an entry that is declared only for ES modules. */
const ES_MODULES = ["runner.ts", "slim.ts"];
const WAYS = {
  bundler: { module: "esnext", lib: ["dom", "dom.iterable", "dom.asynciterable"], types: [], kinds: ["module"] },
  node16: { module: "node16", lib: [], types: ["node"], kinds: ["module", "commonjs"] },
  nodenext: { module: "nodenext", lib: [], types: ["node"], kinds: ["module", "commonjs"] },
};
const { module, lib, types, kinds } = WAYS[moduleResolution];

const project = join(folder, "typescript", moduleResolution);
/** Other packages that the tests use. */
for (const name of ["expect-type", "@ag-ui/core", "@types/node", "undici-types"]) {
  const link = join(project, "node_modules", name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(ROOT, "node_modules", name), link, "junction");
}

let count = 0;
for (const kind of kinds) {
  mkdirSync(join(project, kind), { recursive: true });
  writeFileSync(join(project, kind, "package.json"), JSON.stringify({ type: kind }));
  const excluded = [...WITH_LARGE_PACKAGES, ...(kind === "commonjs" ? ES_MODULES : [])];
  for (const name of readdirSync(TESTS)) {
    const fits = kind === "commonjs" ? /\.c?ts$/ : /\.ts$/;
    if (!fits.test(name) || excluded.includes(name)) continue;
    cpSync(join(TESTS, name), join(project, kind, name));
    count += 1;
  }
}
const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  target: "es2022",
  lib: ["es2023", "esnext.disposable", ...lib],
  ...{ module, moduleResolution, types },
};
writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: kinds }));
await runCommand(process.execPath, [join(ROOT, "node_modules", "typescript", "bin", "tsc"), "--project", project], {
  cwd: folder,
});
console.log(`ok: ${count} files`);
