// npm run www: builds what is missing and serves the inspector. The variable PORT sets the port.
import "./built.mjs";

const { PAGE, bundlePage } = await import("./www/bundle.mjs");
const { serve } = await import("./www/serve.mjs");
await bundlePage();
const { origin } = await serve(PAGE, { port: Number(process.env.PORT ?? 8080) });
console.log(`The inspector is at ${origin} (Ctrl-C to stop).`);
