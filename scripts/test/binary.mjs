// Finds the program in an npm package that ships one for each platform. Usually an install script moves it into place,
// but the setup runs no install scripts.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { MissingRuntime } from "./runtimes/missing.mjs";

/** Returns the path to the program `name`, from a platform package of npm's `name` that runs on this machine. @param {string} name */
export async function binaryOf(name) {
  const modules = join(ROOT, "node_modules");
  const { optionalDependencies } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const candidates = Object.keys(optionalDependencies)
    .flatMap((platform) => [join(modules, platform, file), join(modules, platform, "bin", file)])
    // Bun's install script, if somebody ran it, moves the program here, with this ending on all platforms.
    .concat(join(modules, name, "bin", `${name}.exe`))
    .filter((path) => existsSync(path));
  // npm may install several, for instance one for each C library.
  for (const path of candidates) if (await runs(path)) return path;
  throw new MissingRuntime(`npm installed no ${name} that runs on ${process.platform} ${process.arch}.`);
}

/** @param {string} path */
function runs(path) {
  return runCommand(path, ["--version"]).then(
    () => true,
    () => false,
  );
}
