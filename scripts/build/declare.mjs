// js/types/*.d.ts + the types that wasm-bindgen generated → one self-contained declaration file per entry, which names
// nothing that the public interface does not.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PKG, ROOT } from "../paths.mjs";
import { documentMembers, RUST_TYPES } from "./member_docs.mjs";
import { whenChanged } from "./stamp.mjs";

const ENTRIES = {
  index: "js/types/api.d.ts",
  slim: "js/types/slim.d.ts",
  otel: "js/types/otel.d.ts",
  "ai-sdk": "js/types/ai_sdk.d.ts",
};

/** What the entries beside the main one take from it, and from packages of the user's. */
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
  // The same text twice: TypeScript takes the module format from the ending.
  const declarations = await documentMembers(output[0].code);
  for (const ending of ["d.ts", "d.cts"]) writeFileSync(join(PKG, `${name}.${ending}`), declarations);
}
