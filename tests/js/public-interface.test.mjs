// The checks of the public interface: a report of the types, and a package without dependencies.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";
import { differences, statementsOf } from "../../scripts/test/api.mjs";

const read = (path) => readFileSync(join(ROOT, path), "utf8");
const PACKAGE = JSON.parse(read("package.json"));
const CARGO = read("Cargo.toml");

const value = (text, name) => text.match(new RegExp(`^${name} = "([^"]*)"`, "m"))?.[1];

describe("the report of types", () => {
  const BEFORE =
    "/** A. */\ninterface A { b: string; c?: number }\ndeclare function f(a: A): void;\nexport { f };\nexport type { A };\n";
  const report = async (declarations) => (await statementsOf(declarations)).join("\n");

  test("ignores comments and the order of declarations", async () => {
    const after =
      "declare function f(a: A): void;\nexport type { A };\nexport { f };\ninterface A { b: string; /** C. */ c?: number }\n";
    assert.equal(await report(after), await report(BEFORE));
  });

  const CHANGES = [
    ["a field is gone", BEFORE.replace("b: string; ", ""), ["-     b: string;"]],
    ["a field has to be there", BEFORE.replace("c?", "c"), ["-     c?: number;", "+     c: number;"]],
    [
      "a parameter came",
      BEFORE.replace("a: A)", "a: A, d?: 1)"),
      ["- declare function f(a: A): void;", "+ declare function f(a: A, d?: 1): void;"],
    ],
    ["a name is no longer exported", BEFORE.replace("export { f };\n", ""), ["- export { f };"]],
  ];
  for (const [what, after, lines] of CHANGES) {
    test(what, async () => assert.deepEqual(differences(await report(BEFORE), await report(after)), lines));
  }

  test("overloads keep their order", async () => {
    const [one, other] = ["declare function f(a: 1): 1;\n", "declare function f(a: 2): 2;\n"];
    assert.notEqual(await report(one + other), await report(other + one));
  });
});

describe("the package", () => {
  test("needs no other package at run time", () => {
    for (const kind of ["dependencies", "optionalDependencies", "bundleDependencies", "bundledDependencies"]) {
      assert.equal(PACKAGE[kind], undefined, kind);
    }
    const peers = Object.keys(PACKAGE.peerDependencies ?? {});
    const required = peers.filter((name) => PACKAGE.peerDependenciesMeta?.[name]?.optional !== true);
    assert.deepEqual(required, []);
  });

  test("runs nothing when it is installed", () => {
    for (const script of ["preinstall", "install", "postinstall", "prepare"])
      assert.equal(PACKAGE.scripts[script], undefined, script);
  });

  test("publishes every file that an entry names", () => {
    const targets = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targets));
    const files = read("api/files.txt").split("\n");
    const entries = ["main", "module", "types"].map((name) => PACKAGE[name]);
    for (const target of [...targets(PACKAGE.exports), ...entries, ...targets(PACKAGE.bin ?? [])]) {
      assert.ok(files.includes(target.replace(/^\.\//, "")), target);
      assert.ok(existsSync(join(ROOT, target)), target);
    }
  });

  test("publishes nothing else", () => {
    const strangers = read("api/files.txt")
      .split("\n")
      .filter((path) => /(^|\/)(src|tests?|scripts|node_modules|bench|fuzz)\/|\.(rs|tgz)$/.test(path));
    assert.deepEqual(strangers, []);
  });

  test("has the version of the crate", () => assert.equal(PACKAGE.version, value(CARGO, "version")));
});

describe("the crate", () => {
  test("is compiled with the oldest Rust that it supports", () => {
    assert.equal(value(CARGO, "rust-version"), value(read("rust-toolchain.toml"), "channel"));
  });

  test("cargo-deny knows its licence", () => assert.match(read("deny.toml"), /^allow = \[.*"MIT", "Apache-2.0"/m));
});
