// npm run api:accept: takes the public interface of a fresh build as the one that users can rely on.
import "./built.mjs";

const { orExplain } = await import("./explain.mjs");
const { acceptApi } = await import("./test/api.mjs");
const paths = await orExplain(acceptApi);
console.log(`Written: ${paths.join(", ")}. Look at the difference before you commit it.`);
