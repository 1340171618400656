// The gateway in Node: node server.js. The settings are environment variables: see worker.js and upstream.js.
import { serve } from "@hono/node-server";
import worker from "./worker.js";

/** There is no end of the process to wait for. */
const context = { waitUntil() {} };

serve({ fetch: (request) => worker.fetch(request, process.env, context), port: Number(process.env.PORT ?? 8787) });
