// A worker thread of Node, which has its own globals and modules.
import { once } from "node:events";
import { Worker } from "node:worker_threads";

[process.exitCode] = await once(new Worker(new URL("../node-esm/check.mjs", import.meta.url)), "exit");
