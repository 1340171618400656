// Where the packed package is tested: each runtime, in each form in which it loads the package, with the same test suite.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { published, ROOT } from "../../paths.mjs";
import { runCommand } from "../../run-command.mjs";
import { binaryOf } from "../binary.mjs";
import { NODE_VERSIONS, nodeOf, projectOf } from "./fetched.mjs";

/**
 * @typedef {object} Runtime
 * @property {string} runtime its name
 * @property {string} form how it loads the package
 * @property {string} version
 * @property {(consumer: { folder: string }) => Promise<string>} run resolves with the output of the check
 */

const IMPORT = "`import`";
const REQUIRE = "`require`";

/** @param {string} name @returns {string} */
const versionOf = (name) => JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8")).version;

/**
 * A program that runs a file of tests/package inside the project that has installed the package.
 *
 * @param {string} runtime
 * @param {string} form
 * @param {string} version
 * @param {() => Promise<string>} program
 * @param {string[]} args
 * @returns {Runtime}
 */
const inside = (runtime, form, version, program, args) => ({
  ...{ runtime, form, version },
  run: async ({ folder }) => runCommand(await program(), args, { cwd: folder, env: { NO_COLOR: "1" } }),
});

/**
 * A file of tests/package that starts its runtime with the tools of this repository.
 *
 * @param {string} runtime
 * @param {string} form
 * @param {string} version
 * @param {string} file
 * @param {() => Promise<string | string[]>} argument
 * @returns {Runtime}
 */
const fromHere = (runtime, form, version, file, argument = async () => []) => ({
  ...{ runtime, form, version },
  async run({ folder }) {
    return runCommand(process.execPath, [join(ROOT, "tests", "package", file), folder].concat(await argument()), { cwd: ROOT });
  },
});

/** @param {string} version @param {() => Promise<string>} program */
const node = (version, program) => [
  inside("Node", IMPORT, version, program, ["node-esm/check.mjs"]),
  inside("Node", REQUIRE, version, program, ["node-require/check.cjs"]),
  inside("Node", "a worker thread", version, program, ["node-worker/check.mjs"]),
];
/** @param {string} form @param {string[]} args */
const deno = (form, args) => inside("Deno", form, versionOf("deno"), () => binaryOf("deno"), ["run", ...args]);

/** Fast runtimes that `npm ci` installs. @type {Runtime[]} */
const INSTALLED = [
  deno(IMPORT, ["deno/check.mjs"]),
  inside("Bun", `${IMPORT}, ${REQUIRE}`, versionOf("bun"), () => binaryOf("bun"), ["run", "bun/check.mjs"]),
  fromHere("workerd", "a Worker bundled by esbuild", versionOf("workerd"), "workerd/check.mjs"),
  fromHere("edge-runtime", "a bundle by esbuild", versionOf("@edge-runtime/vm"), "edge-light/check.mjs"),
];

/** Returns the inputs that the outcome of every runtime depends on. */
export const inputsOfRuntimes = () => [...published(), "tests/package", "tests/fixtures"];

/** The runtimes of `npm test`. @type {Runtime[]} */
export const QUICK_RUNTIMES = [...node(process.versions.node, async () => process.execPath), ...INSTALLED];

const [NEXT, JEST, VITEST, TSX] = ["next", "jest", "vitest", "tsx"].map(projectOf);

/** The runtimes of `npm run test:runtimes`, the slowest first. @type {Runtime[]} */
export const RUNTIMES = [
  fromHere("Next.js", "a route for the edge, a route for Node", NEXT.version, "next/check.mjs", NEXT.folder),
  fromHere("Jest", "`require`, with jsdom and without", JEST.version, "jest/check.mjs", JEST.folder),
  fromHere("Vitest", "`import`, with jsdom and without", VITEST.version, "vitest/check.mjs", VITEST.folder),
  fromHere("tsx", "`import`, `require`", TSX.version, "tsx/check.mjs", TSX.folder),
  ...NODE_VERSIONS.flatMap((version) => node(version, () => nodeOf(version))),
  ...["bundler", "node16", "nodenext"].map((resolution) =>
    fromHere("TypeScript", `\`${resolution}\``, versionOf("typescript"), "typescript/check.mjs", async () => resolution),
  ),
  fromHere("Wrangler", "`wrangler deploy --dry-run`, run in workerd", versionOf("wrangler"), "wrangler/check.mjs"),
  ...INSTALLED,
  deno("`respool/slim`", ["--allow-read", "--allow-write", "deno/slim.mjs"]),
];

/** Returns the name of a runtime's step. `npm test` and `npm run test:runtimes` share it, and so the record of passes. @param {Runtime} runtime */
export function nameOf({ runtime, form, version }) {
  return `${runtime} ${version}, ${form.replaceAll("`", "")}`;
}

/**
 * Runs the test suite in a runtime and resolves with a note on its checks. The suite prints that line last, so a runtime
 * that ends early fails.
 *
 * @param {Runtime} runtime
 * @param {{ folder: string }} consumer
 */
export async function runRuntime(runtime, consumer) {
  const output = await runtime.run(consumer);
  const found = output.match(/^ok: (.+)$/m);
  if (found === null) throw new Error(`the suite ended before its last line; its output: ${JSON.stringify(output)}`);
  return { note: found[1] };
}
