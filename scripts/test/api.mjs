// What users can rely on, as it was last accepted: the public types of every entry, and the files of the package.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";

const REPORTS = { "api/types.d.ts": typesReport, "api/files.txt": filesReport };

/** Fails where a report differs from the one that is checked in, and says in what. */
export async function checkApi() {
  const changes = [];
  for (const [path, report] of Object.entries(REPORTS)) {
    const [accepted, current] = [read(path), await report()];
    if (accepted !== current) changes.push(`${path}:`, ...differences(accepted, current));
  }
  if (changes.length === 0) return;
  const advice = "If that is what you want, run `npm run api:accept`, and say in CHANGELOG.md what changes for users.";
  throw new Error(`the public interface has changed.\n${changes.join("\n")}\n${advice}`);
}

/** Writes the reports of the package as it is built. */
export async function acceptApi() {
  for (const [path, report] of Object.entries(REPORTS)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), await report());
  }
  return Object.keys(REPORTS);
}

function read(path) {
  return existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8").replaceAll("\r\n", "\n") : "";
}

/** The lines that went and those that came, as a patch shows them. */
export function differences(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const without = (lines, others) => {
    const counts = new Map();
    for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
    return lines.filter((line) => {
      const left = counts.get(line) ?? 0;
      counts.set(line, left - 1);
      return left <= 0;
    });
  };
  const gone = without(old, now).map((line) => `- ${line}`);
  const come = without(now, old).map((line) => `+ ${line}`);
  return gone.length + come.length > 0 ? [...gone, ...come] : ["  (the same lines in another order)"];
}

/** The declarations of every entry: those of the first one, then what each other one has besides or says otherwise. */
async function typesReport() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const entries = Object.entries(exports).flatMap(([name, targets]) => {
    const types = targets.import?.types ?? targets.types;
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

/** The statements of a file of declarations, without comments, by name: the order in which they stand says nothing. */
export async function statementsOf(declarations) {
  const { default: ts } = await import("typescript");
  const file = ts.createSourceFile("api.d.ts", declarations, ts.ScriptTarget.Latest);
  const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
  const named = file.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause !== undefined) return exportsOf(statement);
    const first = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement;
    return { name: first.name?.text ?? "", text: printer.printNode(ts.EmitHint.Unspecified, statement, file) };
  });
  // Overloads stay in their order, which means something.
  return named.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))).map(({ text }) => text);
}

/** A line for each name, so that a change shows which. */
function exportsOf({ isTypeOnly, exportClause }) {
  const keyword = isTypeOnly ? "export type" : "export";
  const lines = exportClause.elements.map(({ name }) => `${keyword} { ${name.text} };`);
  // In front of all declarations.
  return lines.map((text) => ({ name: ` ${text}`, text }));
}

/** The files that would be published. */
async function filesReport() {
  const json = await runCommand("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: ROOT, stdoutIsData: true });
  const [{ files }] = JSON.parse(json);
  // The parts that the files of the command line share have a hash of what is in them in their names.
  const names = files.map(({ path }) => path.replace(/-[0-9A-Z]{8}(?=\.js$)/, "-*"));
  return [...new Set(names)]
    .map((name) => `${name}\n`)
    .sort()
    .join("");
}
