// A project outside the repository that installs the packed tarball, as users do.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fixturesModule } from "./fixtures_module.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));

/**
 * Packs the built package and installs it in a new folder, beside a copy of tests/package and the fixtures as one module.
 * The folder is removed when this process exits.
 *
 * @returns {Promise<{ folder: string, tarball: string, files: string[], summary: string }>}
 */
export async function packAndInstall() {
  const folder = mkdtempSync(join(tmpdir(), "respool-consumer-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const [packed] = JSON.parse(await npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder], ROOT));
  const tarball = join(folder, packed.filename);
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  // The package has no dependencies, so npm fetches nothing.
  await npm(["install", tarball, "--offline", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
  // An optional peer dependency, which projects need for respool/otel.
  const peer = join("node_modules", "@opentelemetry", "api");
  cpSync(join(ROOT, peer), join(folder, peer), { recursive: true });
  cpSync(HERE, folder, { recursive: true });
  writeFileSync(join(folder, "fixtures.mjs"), fixturesModule());
  /** @param {number} bytes */
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
  return {
    folder,
    tarball,
    files: packed.files.map((/** @type {{ path: string }} */ file) => file.path),
    summary: `${packed.files.length} files, ${kilobytes(packed.size)} packed, ${kilobytes(packed.unpackedSize)} unpacked`,
  };
}

/** @param {string[]} args @param {string} cwd */
async function npm(args, cwd) {
  const run = promisify(execFile);
  const { stdout } = await run("npm", args, { cwd, shell: process.platform === "win32", maxBuffer: 1 << 26 });
  return stdout;
}
