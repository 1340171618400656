// npm run api:accept: accepts the public interface of a fresh build.
import "./built.mjs";

const { orExplain } = await import("./explain.mjs");
const { acceptApi } = await import("./test/api.mjs");
const paths = await orExplain(acceptApi);
console.log(`Wrote ${paths.join(" and ")}. Review the diff before you commit it.`);
