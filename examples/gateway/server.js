// The gateway in Node: node server.js. The settings are environment variables: see worker.js and upstream.js.
import { serve } from "@hono/node-server";
import worker from "./worker.js";

/** The process doesn't end, so there is nothing to wait for. */
const context = { waitUntil() {} };

/** Logs errors: Node's adapter answers them with 500 and doesn't log them. */
async function fetch(request) {
  try {
    return await worker.fetch(request, process.env, context);
  } catch (error) {
    console.error(error);
    throw error;
  }
}

const missing = ["GATEWAY_KEY", "MODEL", "MODEL_API", "MODEL_URL"].filter((name) => !process.env[name]);
if (missing.length > 0) throw new Error(`Set the environment variable ${missing.join(", ")}`);
const port = Number(process.env.PORT ?? 8787);
serve({ fetch, port }, ({ port }) => console.log(`The gateway is at http://localhost:${port}/v1`));
