// The published declarations contain no `any`, which would turn off the users' type checks, and nothing that becomes one in
// older versions of TypeScript.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import ts from "typescript";
import { PKG } from "../../scripts/paths.mjs";

/** Returns the lines of a declaration file that contain `any`. */
function linesWithAny(name, text) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const lines = [];
  const visit = (node) => {
    // Type parameters of the platform's interfaces must be as the platform declares them.
    if (ts.isModuleDeclaration(node) && node.name.text === "global") return;
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      const { line } = file.getLineAndCharacterOfPosition(node.pos);
      lines.push(`${name}:${line + 1}: ${text.split("\n")[line].trim()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lines;
}

test("finds an any", () => {
  const found = linesWithAny("planted.d.ts", "export type A = {\n  f(x: string): Promise<any[]>;\n};\n");
  assert.deepEqual(found, ["planted.d.ts:2: f(x: string): Promise<any[]>;"]);
});

const declarations = readdirSync(PKG).filter((name) => /\.d\.c?ts$/.test(name));

test("there are declarations", () => assert.ok(declarations.includes("index.d.ts"), declarations.join()));

for (const name of declarations) {
  const text = readFileSync(join(PKG, name), "utf8");
  test(name, () => assert.deepEqual(linesWithAny(name, text), []));

  // Only TypeScript 5.7 and newer have type arguments of typed arrays.
  test(`${name} in older versions`, () => assert.doesNotMatch(text, /(?<!`)\b(?:\w+\d+Array|DataView)</));
}
