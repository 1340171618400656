// The gateway in Node: node server.js. The settings are environment variables: see worker.js and upstream.js.
import { serve } from "@hono/node-server";
import worker from "./worker.js";

/** There is no end of the process to wait for. */
const context = { waitUntil() {} };

const port = Number(process.env.PORT ?? 8787);
serve({ fetch: (request) => worker.fetch(request, process.env, context), port }, ({ port }) =>
  console.log(`The gateway is at http://localhost:${port}/v1`),
);
