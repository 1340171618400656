// Finds the program inside an npm package that carries one for each platform. Their install scripts would put it
// into place, but the set-up runs no install scripts.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { MissingRuntime } from "./runtimes/missing.mjs";

/** The path of the program `name`, taken from the platform package of npm's `name` that runs on this machine. */
export async function binaryOf(name) {
  const modules = join(ROOT, "node_modules");
  const { optionalDependencies } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const candidates = Object.keys(optionalDependencies)
    .flatMap((platform) => [join(modules, platform, file), join(modules, platform, "bin", file)])
    // Where somebody ran npm with install scripts, bun's has moved its program here, under this name everywhere.
    .concat(join(modules, name, "bin", `${name}.exe`))
    .filter((path) => existsSync(path));
  for (const path of candidates) {
    // Several can be installed, as for two C libraries.
    if (
      await runCommand(path, ["--version"]).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  throw new MissingRuntime(`npm has installed no ${name} that runs on ${process.platform} ${process.arch}.`);
}
