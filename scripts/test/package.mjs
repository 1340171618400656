// Packs the package as npm publishes it, looks it over, and uses it from a project outside the repository.
import { join } from "node:path";
import { packAndInstall } from "../../tests/package/consumer.mjs";
import { ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { nameOf, QUICK_RUNTIMES, runRuntime } from "./runtimes/table.mjs";

const tool = (file, args) => runCommand(process.execPath, [join(ROOT, "node_modules", file), ...args], { cwd: ROOT });

export function packageSteps() {
  let consumer;
  const onConsumer = (name, run) => ({
    name,
    async run() {
      if (consumer === undefined) throw new Error("There is no packed package to check, because npm pack failed.");
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
    onConsumer("publint", ({ tarball }) => tool("publint/src/cli.js", ["run", tarball, "--strict"])),
    onConsumer("attw", ({ tarball }) =>
      tool("@arethetypeswrong/cli/dist/index.js", [
        ...[tarball, "--profile", "node16", "--no-emoji", "--no-color"],
        // The raw module is no JavaScript: there is nothing for TypeScript to resolve.
        ...["--exclude-entrypoints", "respool.wasm"],
      ]),
    ),
    onConsumer("command, installed", async ({ folder }) => {
      const command = join(folder, "node_modules", ".bin", "respool");
      const written = await runCommand(command, [join(ROOT, "samples", "chat-tool-calls.sse")], { stdoutIsData: true });
      if (!written.includes("→ get_marine_forecast")) throw new Error(`it wrote ${JSON.stringify(written)}`);
    }),
    ...QUICK_RUNTIMES.map((each) => onConsumer(nameOf(each), (packed) => runRuntime(each, packed))),
  ];
}
