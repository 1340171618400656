// Arranges TypeDoc's project for readers: entries under their import names, exports in categories, guides under their titles.
import { Comment, CommentTag, ReflectionKind } from "typedoc";
import { CATEGORIES, ENTRIES } from "./categories.mjs";

/** @import { DeclarationReflection, DocumentReflection, ProjectReflection } from "typedoc" */

/**
 * Arranges a project in place.
 *
 * @param {ProjectReflection} project
 * @returns {string[]} a message for each export without a category, for each category entry without an export, and for
 *   each function or class without an example
 */
export function arrange(project) {
  for (const document of reflectionsOf(project, ReflectionKind.Document)) giveTitle(document);
  const modules = new Map(reflectionsOf(project, ReflectionKind.Module).map((module) => [module.name, module]));
  const [main, ...others] = ENTRIES.map((entry) => ({ ...entry, reflection: moduleNamed(modules, entry.module) }));
  for (const { reflection } of others) removeReexports(project, reflection, main.reflection);

  const categories = new Map(
    Object.entries(CATEGORIES).flatMap(([category, names]) => names.map((name) => /** @type {const} */ ([name, category]))),
  );
  const unused = new Set(categories.keys());
  const gaps = [];
  for (const { name, summary, reflection } of [main, ...others]) {
    reflection.name = name;
    reflection.comment = new Comment([{ kind: "text", text: summary }]);
    for (const child of reflection.children ?? []) {
      const category = categories.get(child.name);
      if (category === undefined) gaps.push(`${name}: ${child.name} is in no category (scripts/docs/categories.mjs).`);
      else categorise(child, category);
      if (needsExample(child)) gaps.push(`${name}: ${child.name} has no example.`);
      unused.delete(child.name);
    }
  }
  for (const name of unused) gaps.push(`${categories.get(name)}: ${name} isn't exported (scripts/docs/categories.mjs).`);
  return gaps;
}

/**
 * @template {ReflectionKind.Document | ReflectionKind.Module} K
 * @param {ProjectReflection} project
 * @param {K} kind
 * @returns {(K extends ReflectionKind.Document ? DocumentReflection : DeclarationReflection)[]}
 */
function reflectionsOf(project, kind) {
  const reflections = /** @type {unknown} */ (project.getReflectionsByKind(kind));
  return /** @type {(K extends ReflectionKind.Document ? DocumentReflection : DeclarationReflection)[]} */ (reflections);
}

/** @param {Map<string, DeclarationReflection>} modules @param {string} name */
function moduleNamed(modules, name) {
  const module = modules.get(name);
  if (module === undefined) throw new Error(`TypeDoc found no entry ${name} (scripts/docs/categories.mjs)`);
  return module;
}

/** Names a guide by its first heading instead of its file. @param {DocumentReflection} document */
function giveTitle(document) {
  const [heading] = document.content
    .map(({ text }) => text)
    .join("")
    .split("\n", 1);
  if (heading.startsWith("# ")) document.name = heading.slice(2).replaceAll("`", "");
}

/**
 * Removes from an entry the exports that it re-exports from another one.
 *
 * @param {ProjectReflection} project
 * @param {DeclarationReflection} entry
 * @param {DeclarationReflection} other
 */
function removeReexports(project, entry, other) {
  const names = new Set(other.children?.map(({ name }) => name));
  for (const child of [...(entry.children ?? [])]) if (names.has(child.name)) project.removeReflection(child);
}

/** Whether a function or a class, except for errors, lacks an example. @param {DeclarationReflection} reflection */
function needsExample({ kind, name, signatures, comment }) {
  if (kind === ReflectionKind.Function) return !signatures?.some((signature) => signature.comment?.getTag("@example"));
  return kind === ReflectionKind.Class && !name.endsWith("Error") && !comment?.getTag("@example");
}

/** A function has a comment for each of its signatures. @param {DeclarationReflection} reflection @param {string} category */
function categorise(reflection, category) {
  for (const { comment } of reflection.signatures ?? [reflection]) {
    comment?.blockTags.push(new CommentTag("@category", [{ kind: "text", text: category }]));
  }
}
