// A static file server on this machine only.
import { createServer } from "node:http";

/**
 * Serves `folder` on a port of localhost (0 for any free one). `headers` go with every answer.
 *
 * @returns {Promise<{ origin: string, close(): void }>}
 */
export async function serve(folder, { port = 0, headers = {} } = {}) {
  const { default: sirv } = await import("sirv");
  // dev: files are looked up at each request, so that a new build is seen.
  const files = sirv(folder, {
    dev: true,
    setHeaders: (response) => Object.entries(headers).forEach(([name, value]) => response.setHeader(name, value)),
  });
  const server = createServer((request, response) => {
    files(request, response, () => response.writeHead(404).end("Not found\n"));
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
