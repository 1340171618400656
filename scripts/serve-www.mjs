// npm run www: builds what is missing and serves the page. PORT says where.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
const { setUp } = await import("./setup.mjs");
const { orExplain } = await import("./explain.mjs");
await orExplain(setUp);
const { build } = await import("./build/steps.mjs");
await orExplain(build);

const { PAGE, bundlePage } = await import("./www/bundle.mjs");
const { serve } = await import("./www/serve.mjs");
await bundlePage();
const { origin } = await serve(PAGE, { port: Number(process.env.PORT ?? 8080) });
console.log(`The page is at ${origin} (Ctrl-C ends it).`);
