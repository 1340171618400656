// Packs the package as npm publishes it, checks it, and uses it from a project outside the repository.
import { join } from "node:path";
import { packAndInstall } from "../../tests/package/consumer.mjs";
import { checkDeclarations } from "../../tests/package/lib_check.mjs";
import { checkShipped } from "../../tests/package/shipped.mjs";
import { declarations, published, ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { checkFiles } from "./api.mjs";
import { inputsOfRuntimes, nameOf, QUICK_RUNTIMES, runRuntime } from "./runtimes/table.mjs";

/** @import { Step } from "./step.mjs" */

/** @typedef {Awaited<ReturnType<typeof packAndInstall>>} Consumer */

/** @param {string} file @param {string[]} args */
const tool = (file, args) => runCommand(process.execPath, [join(ROOT, "node_modules", file), ...args], { cwd: ROOT });

/** @returns {Step[]} */
export function packageSteps() {
  /** @type {Consumer | undefined} */
  let consumer;
  /**
   * @param {string} name
   * @param {(consumer: Consumer) => ReturnType<Step["run"]>} run
   * @param {Step["inputs"]} [inputs]
   * @returns {Step}
   */
  const onConsumer = (name, run, inputs) => ({
    name,
    inputs,
    async run() {
      if (consumer === undefined) throw new Error("npm pack failed, so there is no package to check.");
      return run(consumer);
    },
  });

  return [
    {
      name: "npm pack",
      async run() {
        consumer = await packAndInstall();
        return { note: consumer.summary };
      },
    },
    onConsumer("published files", ({ files }) => checkFiles(files)),
    onConsumer("publint", ({ tarball }) => tool("publint/src/cli.js", ["run", tarball, "--strict"]), published),
    onConsumer(
      "attw",
      ({ tarball }) =>
        tool("@arethetypeswrong/cli/dist/index.js", [
          ...[tarball, "--no-emoji", "--no-color"],
          // TypeScript can't resolve the WebAssembly module.
          ...["--exclude-entrypoints", "respool.wasm"],
        ]),
      published,
    ),
    onConsumer("what ships", checkShipped, () => [...published(), "docs", "README.md", "tests/package"]),
    onConsumer("declarations", checkDeclarations, () => [...declarations(), "tests/package"]),
    onConsumer(
      "missing globals",
      ({ folder }) => runCommand(process.execPath, ["globals/check.mjs"], { cwd: folder }),
      () => [...published(), "tests/package"],
    ),
    onConsumer("command, installed", async ({ folder }) => {
      const command = join(folder, "node_modules", ".bin", "respool");
      const output = await runCommand(command, [join(ROOT, "samples", "chat-tool-calls.sse")], { stdoutIsData: true });
      if (!output.includes("→ get_marine_forecast")) throw new Error(`unexpected output: ${JSON.stringify(output)}`);
    }),
    ...QUICK_RUNTIMES.map((runtime) => onConsumer(nameOf(runtime), (packed) => runRuntime(runtime, packed), inputsOfRuntimes)),
  ];
}
