// Declarations → declarations in which each option may be `undefined`. Otherwise `{ signal: maybe }` is an error with
// `exactOptionalPropertyTypes`, although it means the same as no signal.

/** @import { Node, TypeNode } from "typescript" */

/** Types that callers pass, besides parameters and interfaces with "options" in their name. */
const GIVEN = [
  ...["Agent", "Clock", "Codec", "CodecUpdate", "ConverterConfig", "JsonSchemaKeywords", "Limits", "ReasoningTags"],
  "TextToolCalls",
];

/** @param {string} declarations */
export async function loosenOptions(declarations) {
  const { default: ts } = await import("typescript");
  const file = ts.createSourceFile("index.d.ts", declarations, ts.ScriptTarget.Latest, true);
  /** @type {{ at: number, text: string }[]} */
  const insertions = [];
  /** @param {number} at @param {string} text */
  const insert = (at, text) => insertions.push({ at, text });

  /** @param {Node} node @param {boolean} isGiven */
  const visit = (node, isGiven) => {
    const isOptions =
      isGiven ||
      (ts.isInterfaceDeclaration(node) && node.name.text.endsWith("Options")) ||
      ((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && GIVEN.includes(node.name.text)) ||
      (ts.isParameter(node) && node.name.getText() === "options");
    if (isOptions && ts.isPropertySignature(node) && node.questionToken && node.type) loosen(node.type);
    if (isOptions && ts.isMethodSignature(node) && node.questionToken && node.type) {
      // A method can't be undefined, but its type can, and it is as lenient about parameters as a method.
      const name = node.name.getText();
      insert(node.questionToken.end, `: { ${name}`);
      insert(node.type.end, ` }["${name}"] | undefined`);
    }
    // The package itself calls the functions among the options, so their parameters stay exact.
    const isFunction = ts.isFunctionTypeNode(node) || ts.isMethodSignature(node);
    ts.forEachChild(node, (child) => visit(child, isOptions && !isFunction));
  };

  /** @param {TypeNode} type */
  const loosen = (type) => {
    if (type.kind === ts.SyntaxKind.UnknownKeyword) return;
    // Without parentheses, `| undefined` would belong to the result.
    const isOpen = ts.isFunctionTypeNode(type) || ts.isConditionalTypeNode(type);
    if (isOpen) insert(type.getStart(), "(");
    insert(type.end, isOpen ? ") | undefined" : " | undefined");
  };

  visit(file, false);
  let loosened = declarations;
  const fromTheEnd = insertions.sort((left, right) => right.at - left.at);
  for (const { at, text } of fromTheEnd) loosened = loosened.slice(0, at) + text + loosened.slice(at);
  return loosened;
}
