// Rust sources + generated declarations → documented declarations. wasm-bindgen drops the documentation of enum variants and
// keeps Rust's terms in the rest: this adds the former and translates the latter.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../paths.mjs";

/** @import { TypeNode } from "typescript" */

/** The documentation of a variant and of each of its fields, as lines. @typedef {{ docs: string[], fields: string[][] }} Variant */

/** The folders with the types that JavaScript gets. */
export const RUST_TYPES = ["src/model", "src/runner"];

/** Adds the documentation of each Rust variant and its fields to the member of the union. @param {string} declarations */
export async function documentMembers(declarations) {
  const { default: ts } = await import("typescript");
  const enums = new Map(rustFiles().flatMap((text) => enumsIn(text)));
  const file = ts.createSourceFile("index.d.ts", declarations, ts.ScriptTarget.Latest, true);
  const edits = [];
  for (const statement of file.statements) {
    if (!ts.isTypeAliasDeclaration(statement)) continue;
    const variants = enums.get(statement.name.text);
    if (variants === undefined) continue;
    const members = ts.isUnionTypeNode(statement.type) ? statement.type.types : [statement.type];
    if (members.length !== variants.length) {
      throw new Error(`${statement.name.text} has ${members.length} members, but ${variants.length} variants in Rust`);
    }
    const text = members.map((member, index) => memberText(ts, member, variants[index])).join("");
    edits.push({ from: statement.type.pos, to: statement.type.end, text });
  }
  let documented = declarations;
  for (const { from, to, text } of edits.reverse()) documented = documented.slice(0, from) + text + documented.slice(to);
  // wasm-bindgen's file header ended up in the middle of a file.
  return documented.replace(/^\/\* [te]slint.disable \*\/\n/gm, "").replace(/\/\*\*.*?\*\//gs, toTypeScriptTerms);
}

function rustFiles() {
  return RUST_TYPES.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".rs"))
      .map((name) => readFileSync(join(ROOT, folder, name), "utf8")),
  );
}

/**
 * The public enums of a Rust file that rustfmt has formatted.
 *
 * @param {string} text
 * @returns {[name: string, variants: Variant[]][]}
 */
function enumsIn(text) {
  return Array.from(text.matchAll(/^pub enum (\w+) \{\n(.*?)^\}/gms), ([, name, body]) => {
    /** @type {Variant[]} */
    const variants = [];
    /** @type {string[]} */
    let docs = [];
    for (const line of body.split("\n")) {
      const [, doc] = /^ +\/\/\/ ?(.*)/.exec(line) ?? [];
      if (doc !== undefined) docs.push(doc);
      const [, indent, attribute] = /^( +)(?:(#)|\w+)/.exec(line) ?? [];
      // An attribute may have several lines, which are indented further.
      if (doc !== undefined || indent === undefined || attribute !== undefined || indent.length > 8) continue;
      if (indent.length === 4) variants.push({ docs, fields: [] });
      else variants.at(-1)?.fields.push(docs);
      docs = [];
    }
    return [name, variants];
  });
}

/** @param {typeof import("typescript")} ts @param {TypeNode} member @param {Variant} variant */
function memberText(ts, member, { docs, fields }) {
  // The first member of the literal is the tag, which isn't a field in Rust.
  const properties = ts.isTypeLiteralNode(member) ? [...member.members] : [];
  if (fields.length > 0 && properties.length !== fields.length + 1) {
    throw new Error(`${member.getText()} doesn't have the fields of its Rust variant`);
  }
  const head = `\n${comment(docs, "  ")}  | `;
  if (fields.length === 0) return head + member.getText();
  const [tag, ...others] = properties.map((property) => `      ${property.getText().replace(/;$/, "")};\n`);
  return `${head}{\n${tag}${others.map((other, index) => comment(fields[index], "      ") + other).join("")}    }`;
}

/** @param {string[]} lines @param {string} indent */
function comment(lines, indent) {
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ""].join("\n");
}

/** Returns the comment without Rust examples, with TypeScript's names, links and `undefined`. @param {string} text */
function toTypeScriptTerms(text) {
  /** @param {string} name */
  const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return text
    .replace(/(?:^ *\*\n)?^ *\* ```\n.*?^ *\* ```\n/gms, "")
    .replace(/\[`(\w+)`\]\(Self::\w+\)/g, (_, name) => `\`${camelCase(name)}\``)
    .replace(/\[`(\w+)`\](?!\()/g, "{@link $1}")
    .replaceAll("`None`", "`undefined`");
}
