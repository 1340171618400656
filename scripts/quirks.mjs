// npm run quirks: checks the tables in docs/quirks.md, which say which quirks each library reads. `-- --accept` writes them.
import "./built.mjs";

await import("./quirks/run.mjs");
