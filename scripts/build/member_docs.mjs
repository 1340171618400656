// The types that come from Rust lose what is said of the variants of an enum on the way to TypeScript, and what is said
// of the rest is in the words of Rust. This puts both right: rust sources + declarations → declarations.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../paths.mjs";

/** Where types stand that are handed to JavaScript, from the root. */
export const RUST_TYPES = ["src/model", "src/runner"];

/** Declarations whose unions say of each member, and of each of its fields, what the Rust variant says. */
export async function documentMembers(declarations) {
  const { default: ts } = await import("typescript");
  const enums = new Map(rustFiles().flatMap((text) => enumsIn(text)));
  const file = ts.createSourceFile("index.d.ts", declarations, ts.ScriptTarget.Latest, true);
  const edits = [];
  for (const statement of file.statements) {
    const variants = ts.isTypeAliasDeclaration(statement) ? enums.get(statement.name.text) : undefined;
    if (variants === undefined) continue;
    const members = ts.isUnionTypeNode(statement.type) ? statement.type.types : [statement.type];
    if (members.length !== variants.length) {
      throw new Error(`${statement.name.text} has ${members.length} members, and ${variants.length} variants in Rust`);
    }
    const text = members.map((member, at) => memberText(ts, member, variants[at])).join("");
    edits.push({ from: statement.type.pos, to: statement.type.end, text });
  }
  let documented = declarations;
  for (const { from, to, text } of edits.reverse()) documented = documented.slice(0, from) + text + documented.slice(to);
  // What wasm-bindgen writes at the head of a file has come into the middle of one.
  return documented.replace(/^\/\* [te]slint.disable \*\/\n/gm, "").replace(/\/\*\*.*?\*\//gs, inWordsOfTypeScript);
}

function rustFiles() {
  return RUST_TYPES.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".rs"))
      .map((name) => readFileSync(join(ROOT, folder, name), "utf8")),
  );
}

/**
 * The public enums of a file as rustfmt lays it out: [name, variants], each variant with its documentation and that of its
 * fields, in their order.
 */
function enumsIn(text) {
  return Array.from(text.matchAll(/^pub enum (\w+) \{\n(.*?)^\}/gms), ([, name, body]) => {
    const variants = [];
    let docs = [];
    for (const line of body.split("\n")) {
      const [, doc] = /^ +\/\/\/ ?(.*)/.exec(line) ?? [];
      if (doc !== undefined) docs.push(doc);
      const [, indent, attribute] = /^( +)(?:(#)|\w+)/.exec(line) ?? [];
      if (doc !== undefined || indent === undefined || attribute !== undefined) continue;
      if (indent.length === 4) variants.push({ docs, fields: [] });
      else variants.at(-1).fields.push(docs);
      docs = [];
    }
    return [name, variants];
  });
}

function memberText(ts, member, { docs, fields }) {
  // The first member of the literal is the tag, which no Rust field stands for.
  const properties = ts.isTypeLiteralNode(member) ? member.members : [];
  if (fields.length > 0 && properties.length !== fields.length + 1) {
    throw new Error(`${member.getText()} has other fields than its variant in Rust`);
  }
  const head = `\n${comment(docs, "  ")}  | `;
  if (fields.length === 0) return head + member.getText();
  const [tag, ...others] = properties.map((property) => `      ${property.getText().replace(/;$/, "")};\n`);
  return `${head}{\n${tag}${others.map((other, at) => comment(fields[at], "      ") + other).join("")}    }`;
}

function comment(lines, indent) {
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ""].join("\n");
}

/** A comment without Rust's examples and absent values, with names and links as TypeScript has them. */
function inWordsOfTypeScript(text) {
  const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return text
    .replace(/(?:^ *\*\n)?^ *\* ```\n.*?^ *\* ```\n/gms, "")
    .replace(/\[`(\w+)`\]\(Self::\w+\)/g, (_, name) => `\`${camelCase(name)}\``)
    .replace(/\[`(\w+)`\](?!\()/g, "{@link $1}")
    .replaceAll("`None`", "`undefined`");
}
