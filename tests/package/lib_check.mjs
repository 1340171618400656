// TypeScript checks the declarations themselves in projects with neither @types/node nor the newest `lib`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/paths.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

/** The entries that can be imported with each `lib`: OpenTelemetry's declarations need the DOM's. */
const PROJECTS = [
  { lib: ["es2022"], entries: ["respool", "respool/slim", "respool/ai-sdk", "respool/ag-ui", "respool/core", "respool/encode"] },
  {
    lib: ["es2022", "dom"],
    entries: ["respool", "respool/slim", "respool/ai-sdk", "respool/ag-ui", "respool/core", "respool/encode", "respool/otel"],
  },
];

/** @param {{ folder: string }} consumer the project that has installed the package */
export async function checkDeclarations({ folder }) {
  await Promise.all(PROJECTS.map((project) => checkProject(folder, project)));
  return { note: PROJECTS.map(({ lib }) => lib.join(" + ")).join(", ") };
}

/** @param {string} folder @param {{ lib: string[], entries: string[] }} project */
async function checkProject(folder, { lib, entries }) {
  const project = join(folder, "lib-check", lib.join("-"));
  mkdirSync(project, { recursive: true });
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: "es2022",
    module: "nodenext",
    types: [],
    lib,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  writeFileSync(join(project, "use.mts"), USE + reexports(entries));
  writeFileSync(join(project, "use.cts"), USE + reexports(entries));
  await runCommand(process.execPath, [join(ROOT, "node_modules", "typescript", "bin", "tsc"), "--project", project], {
    cwd: folder,
  });
}

/** Fails to compile if a declared type has become `any`. */
const USE = `import { decode, StreamAccumulator } from "respool";
export const text: string = new StreamAccumulator().finish().text;
// @ts-expect-error
export const count: number = new StreamAccumulator().finish().text;
export const { message } = decode({});
`;

/** @param {string[]} entries */
const reexports = (entries) => entries.map((entry, at) => `export * as entry${at} from "${entry}";\n`).join("");
