// www/main.js → www/dist/main.js, with the package in it under its public name.
import { join } from "node:path";
import { ROOT } from "../paths.mjs";

export async function bundlePage() {
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["www/main.js"],
    outfile: join("www", "dist", "main.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    loader: { ".sse": "text" },
    logLevel: "silent",
  });
}
