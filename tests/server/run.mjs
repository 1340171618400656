// node tests/server/run.mjs [port]: starts a model server for manual tests.
import { PATHS, startModelServer } from "./index.mjs";
import { weatherTurn } from "./weather.mjs";

const { urlOf } = await startModelServer({ port: Number(process.argv[2] ?? 0), otherwise: ({ body }) => weatherTurn(body) });
for (const api of Object.keys(PATHS)) console.log(api.padEnd(20), urlOf(api));
