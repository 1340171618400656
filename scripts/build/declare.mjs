// js/types/*.d.ts + the types that wasm-bindgen generates → one self-contained declaration file per entry, with public
// names only.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PKG, ROOT } from "../paths.mjs";
import { loosenOptions } from "./loose_options.mjs";
import { documentMembers, RUST_TYPES } from "./member_docs.mjs";
import { whenChanged } from "./stamp.mjs";

const ENTRIES = {
  index: "js/types/api.d.ts",
  slim: "js/types/slim.d.ts",
  core: "js/types/core.d.ts",
  otel: "js/types/otel.d.ts",
  "ai-sdk": "js/types/ai_sdk.d.ts",
  "ag-ui": "js/types/ag_ui.d.ts",
  encode: "js/types/encode.d.ts",
};

/** The imports that stay: the main entry, and packages of the user. */
const EXTERNAL = ["respool", "@opentelemetry/api"];

export async function declare() {
  const outputs = Object.keys(ENTRIES).flatMap((name) => [`${name}.d.ts`, `${name}.d.cts`]);
  await whenChanged(
    "declare",
    {
      inputs: [
        "js",
        "pkg/wasm/respool.d.ts",
        ...RUST_TYPES,
        "package-lock.json",
        "scripts/build/declare.mjs",
        "scripts/build/loose_options.mjs",
        "scripts/build/member_docs.mjs",
      ],
      outputs: [...outputs, "respool.wasm.d.ts"].map((output) => `pkg/${output}`),
    },
    async () => {
      for (const [name, entry] of Object.entries(ENTRIES)) await declareEntry(name, entry);
      copyFileSync(join(ROOT, "js", "types", "respool.wasm.d.ts"), join(PKG, "respool.wasm.d.ts"));
    },
  );
}

/** @param {string} name @param {string} entry */
async function declareEntry(name, entry) {
  const { rollup } = await import("rollup");
  const { dts } = await import("rollup-plugin-dts");
  const bundle = await rollup({
    input: join(ROOT, entry),
    plugins: [dts()],
    external: EXTERNAL,
    onwarn: (warning) => {
      throw new Error(`${entry}: ${warning.message}`);
    },
  });
  const { output } = await bundle.generate({ format: "es" });
  await bundle.close();
  // The same text twice, because TypeScript derives the module format from the extension.
  const declarations = foldExports(await loosenOptions(await documentMembers(output[0].code)));
  for (const ending of ["d.ts", "d.cts"]) writeFileSync(join(PKG, `${name}.${ending}`), declarations);
}

/** Writes a long list of exports with one name a line, so that editors show it. @param {string} declarations */
const foldExports = (declarations) =>
  declarations.replace(/^(export (?:type )?)\{ (.{200,}) \}(.*;)$/gm, (_, start, names, end) => {
    return `${start}{\n  ${names.replaceAll(", ", ",\n  ")},\n}${end}`;
  });
