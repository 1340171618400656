// A static file server for this machine only.
import { createServer } from "node:http";

/**
 * Serves `folder` on localhost.
 *
 * @param {string} folder
 * @param {{ port?: number, headers?: Record<string, string> }} [options] `port`: 0 for any free one; `headers`: for every
 *   response
 * @returns {Promise<{ origin: string, close(): void }>}
 */
export async function serve(folder, { port = 0, headers = {} } = {}) {
  const { default: sirv } = await import("sirv");
  // dev: sirv looks files up at each request, so it serves new builds.
  const files = sirv(folder, {
    dev: true,
    setHeaders(response) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    },
  });
  const server = createServer((request, response) => {
    files(request, response, () => {
      response.writeHead(404).end("Not found\n");
    });
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", () => resolve(undefined));
  });
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      // Node doesn't count a connection that was opened ahead of a request as idle, so it would still answer the request.
      server.closeAllConnections();
    },
  };
}
