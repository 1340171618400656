// Links in the documentation lead somewhere: to a file of this repository, and to a heading in it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";

const GUIDES = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
const FILES = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "tests/fixtures/README.md",
  ...GUIDES.map((name) => `docs/${name}`),
];

/** The text without its code, in which nothing is a link or a heading. */
const prose = (path) => readFileSync(join(ROOT, path), "utf8").replace(/^( *)(`{3,})[^\n]*\n.*?^\1\2$/gms, "");

/** The targets of links and pictures. */
const linksIn = (path) =>
  Array.from(
    prose(path)
      .replace(/`+[^`\n]*`+/g, (code) => code.replace(/[[\]()]/g, ""))
      .matchAll(/\]\(([^)\s]+)\)/g),
    ([, target]) => target,
  );

/** The anchors of headings, as GitHub and npm make them. */
function anchorsOf(path) {
  const seen = new Map();
  return Array.from(prose(path).matchAll(/^#+ (.*)$/gm), ([, heading]) => {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

for (const file of FILES) {
  test(file, () => {
    const broken = linksIn(file).filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [target, anchor] = link.split("#");
      const path = target === "" ? file : join(dirname(file), target);
      if (!existsSync(join(ROOT, path))) return true;
      return anchor !== undefined && !anchorsOf(path).includes(anchor);
    });
    assert.deepEqual(broken, []);
  });
}

test("links are found, and anchors made", () => {
  assert.ok(linksIn("README.md").includes("docs/process.md"));
  assert.ok(linksIn("docs/inspector.md").includes("inspector/wide-light.png"));
  assert.ok(anchorsOf("docs/outputs.md").includes("an-answer-that-is-on-its-way"));
});

test("every guide is in the index", () => {
  const links = linksIn("docs/README.md").map((link) => link.split("#")[0]);
  assert.deepEqual(
    GUIDES.filter((name) => name !== "README.md" && !links.includes(name)),
    [],
  );
});

test("the README leads to the index", () => assert.ok(linksIn("README.md").includes("docs/README.md")));
