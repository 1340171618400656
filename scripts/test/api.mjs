// The public interface as last accepted: the types of every entry, and the files of the package.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";

/** @import { ExportDeclaration, Statement } from "typescript" */

const TYPES = "api/types.d.ts";
const FILES = "api/files.txt";

/** Fails with the differences if the types differ from the accepted ones. */
export async function checkTypes() {
  check(TYPES, await typesReport());
}

/** Fails with the differences if npm has packed other files than the accepted ones. @param {string[]} files */
export function checkFiles(files) {
  check(FILES, filesReport(files));
}

/** @param {string} path @param {string} current */
function check(path, current) {
  const accepted = read(path);
  if (accepted === current) return;
  const changes = [`${path}:`, ...differences(accepted, current)].join("\n");
  const advice = "If that is intended, run `npm run api:accept` and describe the change for users in CHANGELOG.md.";
  throw new Error(`the public interface has changed.\n${changes}\n${advice}`);
}

/** Writes the reports of the current build. Resolves with their paths. */
export async function acceptApi() {
  const reports = { [TYPES]: await typesReport(), [FILES]: filesReport(await publishedFiles()) };
  for (const [path, report] of Object.entries(reports)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), report);
  }
  return Object.keys(reports);
}

/** @param {string} path */
function read(path) {
  return existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8").replaceAll("\r\n", "\n") : "";
}

/** Returns the removed and added lines, as in a patch. @param {string} before @param {string} after */
export function differences(before, after) {
  const [old, current] = [before.split("\n"), after.split("\n")];
  /** @param {string[]} lines @param {string[]} others */
  const without = (lines, others) => {
    const counts = new Map();
    for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
    return lines.filter((line) => {
      const left = counts.get(line) ?? 0;
      counts.set(line, left - 1);
      return left <= 0;
    });
  };
  const removed = without(old, current).map((line) => `- ${line}`);
  const added = without(current, old).map((line) => `+ ${line}`);
  return removed.length + added.length > 0 ? [...removed, ...added] : ["  (the same lines in another order)"];
}

/** Returns the declarations of the main entry, then those of each other entry that differ from it. */
async function typesReport() {
  /** @type {{ exports: Record<string, { types?: string, import?: { types: string } } | string> }} */
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const entries = Object.entries(exports).flatMap(([name, targets]) => {
    const types = typeof targets === "string" ? undefined : (targets.import?.types ?? targets.types);
    return types === undefined ? [] : [{ name: name.replace(/^\./, "respool"), types }];
  });
  const known = new Set();
  const parts = [];
  for (const { name, types } of entries) {
    const statements = await statementsOf(read(types));
    parts.push(`// ${name}`, ...statements.filter((statement) => !known.has(statement)), "");
    for (const statement of statements) known.add(statement);
  }
  return parts.join("\n");
}

/** Returns the statements of a declaration file without comments, sorted by name. @param {string} declarations */
export async function statementsOf(declarations) {
  const { default: ts } = await import("typescript");
  const file = ts.createSourceFile("api.d.ts", declarations, ts.ScriptTarget.Latest);
  const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
  /** @param {Statement} statement */
  const nameOf = (statement) => {
    const named = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement;
    const name = "name" in named ? /** @type {import("typescript").Node | undefined} */ (named.name) : undefined;
    return name !== undefined && ts.isIdentifier(name) ? name.text : "";
  };
  const named = file.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause !== undefined) return exportsOf(statement);
    return { name: nameOf(statement), text: printer.printNode(ts.EmitHint.Unspecified, statement, file) };
  });
  // The sort is stable: the order of overloads matters.
  return named.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))).map(({ text }) => text);
}

/** Returns one line for each exported name, so that a change shows which. @param {ExportDeclaration} declaration */
function exportsOf({ isTypeOnly, exportClause }) {
  if (exportClause === undefined || !("elements" in exportClause)) return [];
  const keyword = isTypeOnly ? "export type" : "export";
  const lines = exportClause.elements.map(({ name }) => `${keyword} { ${name.text} };`);
  // The space sorts them before all declarations.
  return lines.map((text) => ({ name: ` ${text}`, text }));
}

/** Returns the files that npm would publish. */
async function publishedFiles() {
  const json = await runCommand("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: ROOT, stdoutIsData: true });
  /** @type {[{ files: { path: string }[] }]} */
  const [{ files }] = JSON.parse(json);
  return files.map(({ path }) => path);
}

/** @param {string[]} files */
function filesReport(files) {
  // The names of shared chunks of the command line contain a hash of their content.
  const names = files.map((path) => path.replace(/-[0-9A-Z]{8}(?=\.js(?:\.map)?$)/, "-*"));
  return [...new Set(names)]
    .map((name) => `${name}\n`)
    .sort()
    .join("");
}
