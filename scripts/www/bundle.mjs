// www/src/ → www/dist/: the page with all its libraries, including the package under its public name.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { licencesOf } from "../build/licences.mjs";
import { ROOT } from "../paths.mjs";

export const PAGE = join(ROOT, "www");

export async function bundlePage() {
  const { build } = await import("esbuild");
  // The names of chunks contain hashes, so those of earlier builds would stay.
  rmSync(join(PAGE, "dist"), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { main: "www/src/main.jsx", encode: "respool/encode", style: "www/style/index.css" },
    outdir: join("www", "dist"),
    bundle: true,
    // The page loads the encoder when it needs it, and both share the package's main module.
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    // The page shows its samples as text.
    loader: { ".json": "text", ".jsonl": "text" },
    metafile: true,
    logLevel: "silent",
  });
  writeFileSync(join(PAGE, "dist", "LICENCES.txt"), licencesOf(metafile));
}
