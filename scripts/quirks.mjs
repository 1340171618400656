// npm run quirks: checks the tables in docs/quirks.md, which say what each library reads. `-- --accept` writes them.
import "./built.mjs";

await import("./quirks/run.mjs");
