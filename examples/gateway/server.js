// The gateway in Node: node server.js. The settings are environment variables: see worker.js and upstream.js.
import { serve } from "@hono/node-server";
import worker from "./worker.js";

/** There is no end of the process to wait for. */
const context = { waitUntil() {} };

/** Node's adapter answers 500 to what is thrown, such as a setting that is wrong, and says nothing. */
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
