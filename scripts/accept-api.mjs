// npm run api:accept: takes the public interface of a fresh build as the one that users can rely on.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
const { setUp } = await import("./setup.mjs");
const { orExplain } = await import("./explain.mjs");
await orExplain(setUp);
const { build } = await import("./build/steps.mjs");
await orExplain(build);
const { acceptApi } = await import("./test/api.mjs");
const paths = await orExplain(acceptApi);
console.log(`Written: ${paths.join(", ")}. Look at the difference before you commit it.`);
