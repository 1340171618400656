// A server that fails in each way in which a model's server does. It accepts requests from any origin.
import { createServer } from "node:http";

const event = (body) => `data: ${JSON.stringify(body)}\n\n`;
const chunk = (delta, finish_reason = null) => event({ choices: [{ index: 0, delta, finish_reason }] });
const HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-expose-headers": "*",
  "cache-control": "no-store",
  "x-request-id": "req_7",
};
const JSON_TYPE = { "content-type": "application/json" };
const EVENTS_TYPE = { "content-type": "text/event-stream" };

/** @type {Record<string, (response: import("node:http").ServerResponse) => void>} */
const FAULTS = {
  "/401": (response) =>
    respond(response, 401, JSON_TYPE, '{"error":{"message":"Wrong key","type":"auth_error","code":"bad_key"}}'),
  "/429": (response) =>
    respond(
      response,
      429,
      { ...JSON_TYPE, "retry-after": "7" },
      '{"type":"error","error":{"type":"rate","message":"Slow down"}}',
    ),
  "/502": (response) => respond(response, 502, { "content-type": "text/html" }, "<html><body>Bad gateway</body></html>"),
  "/cut": (response) => {
    response.writeHead(200, { ...HEADERS, ...EVENTS_TYPE, "content-length": "1000" });
    response.write(chunk({ content: "So far" }), () => setTimeout(() => response.destroy(), 20));
  },
  "/error-event": (response) => {
    const error = event({ error: { message: "Overloaded", type: "server_error", code: 529 } });
    respond(response, 200, EVENTS_TYPE, chunk({ content: "So far" }) + error);
  },
  "/refusal": (response) =>
    respond(response, 200, EVENTS_TYPE, `${chunk({ refusal: "I can't." })}${chunk({}, "stop")}data: [DONE]\n\n`),
  "/stall": (response) => {
    response.writeHead(200, { ...HEADERS, ...EVENTS_TYPE });
    response.write(chunk({ content: "So far" }));
  },
  "/junk": (response) => respond(response, 200, { "content-type": "text/html" }, "<!doctype html><title>Sign in</title>"),
};

function respond(response, status, headers, body) {
  response.writeHead(status, { ...HEADERS, ...headers }).end(body);
}

/** `otherwise` answers all other paths. */
export async function startFailingServer(otherwise) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    if (request.method === "OPTIONS") respond(response, 204, {});
    else if (Object.hasOwn(FAULTS, path)) FAULTS[path](response);
    else if (otherwise) otherwise(request, response);
    else respond(response, 404, {}, "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns an address at which nothing listens. */
export async function closedAddress() {
  const { url, close } = await startFailingServer();
  await close();
  return `${url}/`;
}
