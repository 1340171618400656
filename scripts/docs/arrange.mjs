// Puts what TypeDoc has found into an order for readers: entries under the names by which they are imported, exports in
// categories, guides under their titles.
import { Comment, CommentTag, ReflectionKind } from "typedoc";
import { CATEGORIES, ENTRIES } from "./categories.mjs";

/**
 * Arranges a project in place; gives a sentence for each name that is in no category, or in one without being there, and
 * for each function and class that has no example.
 */
export function arrange(project) {
  for (const document of project.getReflectionsByKind(ReflectionKind.Document)) giveTitle(document);
  const modules = new Map(project.getReflectionsByKind(ReflectionKind.Module).map((module) => [module.name, module]));
  const [main, ...others] = ENTRIES.map((entry) => ({ ...entry, reflection: modules.get(entry.module) }));
  for (const { reflection } of others) leaveOut(project, reflection, main.reflection);

  const categories = new Map(Object.entries(CATEGORIES).flatMap(([category, names]) => names.map((name) => [name, category])));
  const unused = new Set(categories.keys());
  const gaps = [];
  for (const { name, summary, reflection } of [main, ...others]) {
    reflection.name = name;
    reflection.comment = new Comment([{ kind: "text", text: summary }]);
    for (const child of reflection.children) {
      const category = categories.get(child.name);
      if (category === undefined) gaps.push(`${name}: ${child.name} is in no category (scripts/docs/categories.mjs).`);
      else categorise(child, category);
      if (needsExample(child)) gaps.push(`${name}: ${child.name} has no example.`);
      unused.delete(child.name);
    }
  }
  for (const name of unused) gaps.push(`${categories.get(name)}: there is no ${name} (scripts/docs/categories.mjs).`);
  return gaps;
}

/** Names a guide by its first heading, and not by its file. */
function giveTitle(document) {
  const [heading] = document.content
    .map(({ text }) => text)
    .join("")
    .split("\n", 1);
  if (heading.startsWith("# ")) document.name = heading.slice(2).replaceAll("`", "");
}

/** Takes out of an entry what it exports again from another one. */
function leaveOut(project, entry, other) {
  const names = new Set(other.children.map(({ name }) => name));
  for (const child of [...entry.children]) if (names.has(child.name)) project.removeReflection(child);
}

/** Functions and classes are shown at work; errors and types are not. */
function needsExample({ kind, name, signatures, comment }) {
  if (kind === ReflectionKind.Function) return !signatures.some((signature) => signature.comment?.getTag("@example"));
  return kind === ReflectionKind.Class && !name.endsWith("Error") && !comment?.getTag("@example");
}

/** Functions have a comment for each of their signatures, and are categorised by all of them. */
function categorise(reflection, category) {
  for (const { comment } of reflection.signatures ?? [reflection]) {
    comment?.blockTags.push(new CommentTag("@category", [{ kind: "text", text: category }]));
  }
}
