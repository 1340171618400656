// The reference of the npm package: a site made of the declarations that are published, and of the guides.
import { join } from "node:path";
import { whenChanged } from "../build/stamp.mjs";
import { PKG, ROOT } from "../paths.mjs";
import { CATEGORIES, ENTRIES } from "./categories.mjs";

/** Where the site is, from the root. */
const OUTPUT = "target/docs";

/** Members that say which one of a union it is, and parts of types: what they mean is said of the whole. */
const TAGS = [
  ...["ApiSpecific.api", "CodecUpdate.type", "ContentPart.type", "Delta.type", "FinishReason.unknown"].map(
    (tag) => `respool.${tag}`,
  ),
  ...["ReasoningBlock.type", "RequestDelta.type", "StructuredResult.[RAW_JSON]", "TextBlock.type"].map((tag) => `respool.${tag}`),
  ...["respool/ai-sdk.UIMessageChunk.type", "respool/slim.WebAssemblyModule.WebAssembly"],
  ...[
    "respool/slim.WebAssemblyModule.__type.WebAssembly.Module",
    "respool/slim.WebAssemblyModule.__type.WebAssembly.__type.Module.prototype",
  ],
].map((tag) => tag.replace(/\.(?=[^.]+$)/, ".__type."));

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
  highlightLanguages: ["ts", "js", "json", "sh", "rust", "html", "toml"],
  validation: { notExported: true, invalidLink: true, invalidPath: true, notDocumented: true, rewrittenLink: true },
  intentionallyNotDocumented: TAGS,
};

/**
 * Makes the site, unless what it is made of is as it was. Fails, and says of what, where documentation is missing, a link
 * leads nowhere, a type is not exported, or an export has no category.
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
  const gaps = [];
  const app = await Application.bootstrap(OPTIONS);
  app.logger = new (class extends Logger {
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
