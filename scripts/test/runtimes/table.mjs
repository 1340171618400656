// Where the packed package runs: each runtime, in each form in which it loads the package, by the same behaviour suite.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../paths.mjs";
import { runCommand } from "../../run-command.mjs";
import { binaryOf } from "../binary.mjs";
import { nextFolder, nextVersion, NODE_VERSIONS, nodeOf } from "./fetched.mjs";

/**
 * @typedef {object} Runtime
 * @property {string} runtime - its name
 * @property {string} form - how it loads the package
 * @property {() => Promise<string>} version
 * @property {(consumer: { folder: string }) => Promise<string>} run - resolves with what the check wrote
 */

const IMPORT = "`import`";
const REQUIRE = "`require`";

const versionOf = (name) => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8"));
  return async () => version;
};

/** A program that runs a file of tests/package inside of the project that has installed the package. */
const inside = (runtime, form, version, program, args) => ({
  ...{ runtime, form, version },
  run: async ({ folder }) => runCommand(await program(), args, { cwd: folder, env: { NO_COLOR: "1" } }),
});

/** A file of tests/package that starts its runtime with tools of this repository. */
const fromHere = (runtime, form, version, file, argument = async () => []) => ({
  ...{ runtime, form, version },
  async run({ folder }) {
    return runCommand(process.execPath, [join(ROOT, "tests", "package", file), folder].concat(await argument()), { cwd: ROOT });
  },
});

const nodeBy = (version, program) => [
  inside("Node", IMPORT, async () => version, program, ["node-esm/check.mjs"]),
  inside("Node", REQUIRE, async () => version, program, ["node-require/check.cjs"]),
];
const deno = (form, args) => inside("Deno", form, versionOf("deno"), () => binaryOf("deno"), ["run", ...args]);

/** @type {Runtime[]} Those that need nothing but what npm has installed, and take a moment. */
const AT_HAND = [
  deno(IMPORT, ["deno/check.mjs"]),
  inside("Bun", `${IMPORT}, ${REQUIRE}`, versionOf("bun"), () => binaryOf("bun"), ["run", "bun/check.mjs"]),
  fromHere("workerd", "a Worker bundled by esbuild", versionOf("workerd"), "workerd/check.mjs"),
  fromHere("edge-runtime", "a bundle by esbuild", versionOf("@edge-runtime/vm"), "edge-light/check.mjs"),
];

/** @type {Runtime[]} What npm test runs. */
export const QUICK_RUNTIMES = [...nodeBy(process.versions.node, async () => process.execPath), ...AT_HAND];

/** @type {Runtime[]} What npm run test:runtimes runs: what takes longest begins first. */
export const RUNTIMES = [
  fromHere("Next.js", "a route for the edge, a route for Node", nextVersion, "next/check.mjs", nextFolder),
  ...NODE_VERSIONS.flatMap((version) => nodeBy(version, () => nodeOf(version))),
  ...["bundler", "node16", "nodenext"].map((way) =>
    fromHere("TypeScript", `\`${way}\``, versionOf("typescript"), "typescript/check.mjs", async () => way),
  ),
  fromHere("Wrangler", "`wrangler deploy --dry-run`, run in workerd", versionOf("wrangler"), "wrangler/check.mjs"),
  ...AT_HAND,
  deno("`respool/slim`", ["--allow-read", "--allow-write", "deno/slim.mjs"]),
];

/** The name of its step. */
export function nameOf({ runtime, form }) {
  return `${runtime}, ${form.replaceAll("`", "")}`;
}

/** Runs it, and says how many checks it has passed; one that ends early has not come so far as to say so. */
export async function runRuntime(runtime, consumer) {
  const written = await runtime.run(consumer);
  const found = written.match(/^ok: (.+)$/m);
  if (found === null) throw new Error(`it ended without a word on its checks; it wrote ${JSON.stringify(written)}`);
  return { note: found[1] };
}
