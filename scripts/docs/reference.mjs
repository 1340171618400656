// The reference of the npm package: a site made from the published declarations and the guides.
import { join } from "node:path";
import { whenChanged } from "../build/stamp.mjs";
import { PKG, ROOT } from "../paths.mjs";
import { CATEGORIES, ENTRIES } from "./categories.mjs";

/** @import { TypeDocOptions } from "typedoc" */

/** The folder of the site. */
const OUTPUT = "target/docs";

/** Discriminants of unions and parts of types, which are documented with the whole type. */
const UNDOCUMENTED = [
  ...["ApiSpecific.api", "CodecUpdate.type", "ContentPart.type", "Delta.type", "FinishReason.unknown"].map(
    (tag) => `respool.${tag}`,
  ),
  ...["ReasoningBlock.type", "RequestDelta.type", "StructuredResult.[RAW_JSON]", "TextBlock.type"].map((tag) => `respool.${tag}`),
  ...["AgUiContentPart", "AgUiEvent", "AgUiOutcome"].map((type) => `respool/ag-ui.${type}.type`),
  ...["respool/ai-sdk.UIMessageChunk.type", "respool/slim.WebAssemblyModule.WebAssembly"],
  ...[
    "respool/slim.WebAssemblyModule.__type.WebAssembly.Module",
    "respool/slim.WebAssemblyModule.__type.WebAssembly.__type.Module.prototype",
  ],
].map((tag) => tag.replace(/\.(?=[^.]+$)/, ".__type."));

/** @type {Partial<TypeDocOptions>} */
const OPTIONS = {
  name: "respool",
  entryPoints: ENTRIES.map(({ module }) => join(PKG, `${module}.d.ts`)),
  projectDocuments: [join(ROOT, "docs", "*.md")],
  readme: join(ROOT, "README.md"),
  out: join(ROOT, OUTPUT),
  compilerOptions: {
    strict: true,
    skipLibCheck: true,
    target: "es2023",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"],
    types: [],
  },
  disableSources: true,
  excludeExternals: true,
  sort: ["kind", "source-order"],
  kindSortOrder: ["Document", "Module", "Function", "Class", "Variable", "Interface", "TypeAlias"],
  includeVersion: true,
  navigation: { includeCategories: true, includeFolders: false },
  categorizeByGroup: false,
  categoryOrder: Object.keys(CATEGORIES),
  highlightLanguages: ["ts", "js", "jsx", "json", "sh", "rust", "html", "toml"],
  validation: { notExported: true, invalidLink: true, invalidPath: true, notDocumented: true, rewrittenLink: true },
  intentionallyNotDocumented: UNDOCUMENTED,
  // The steps of JsonSchemaValue.
  intentionallyNotExported: ["Alternatives", "Combined", "Typed"],
};

/**
 * Builds the site if its inputs changed. Fails with a list if documentation is missing, a link is broken, a type isn't
 * exported, or an export has no category.
 */
export async function buildReference() {
  const declarations = ENTRIES.map(({ module }) => `pkg/${module}.d.ts`);
  const inputs = [...declarations, ...["docs", "README.md", "package-lock.json", "scripts/docs"]];
  await whenChanged("reference", { inputs, outputs: [`${OUTPUT}/index.html`] }, writeReference);
  return { note: `${OUTPUT}/index.html` };
}

async function writeReference() {
  const { arrange } = await import("./arrange.mjs");
  const { Application, Converter, Logger, LogLevel } = await import("typedoc");
  /** @type {string[]} */
  const gaps = [];
  const app = await Application.bootstrap(OPTIONS);
  app.logger = new (class extends Logger {
    /** @override @param {string} message @param {import("typedoc").LogLevel} level */
    log(message, level) {
      if (level >= LogLevel.Warn) gaps.push(message);
    }
  })();
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => gaps.push(...arrange(project)));
  const project = await app.convert();
  if (project !== undefined) {
    app.validate(project);
    await app.generateOutputs(project);
  }
  if (gaps.length > 0) throw new Error(`the reference has gaps:\n${gaps.join("\n")}`);
}
