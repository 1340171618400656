// Serves answers to pages as server-sent events. The path is the name of the answer.
import { createServer } from "node:http";
import { pipeline } from "node:stream/promises";
import { createClient } from "redis";
import { followAnswer } from "./answer.js";

const { REDIS_URL, PORT = "8787" } = process.env;

const server = createServer(async ({ url }, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  const redis = createClient({ url: REDIS_URL }).on("error", ({ message }) => console.error(message));
  response.on("close", () => redis.isOpen && redis.destroy()); // nothing else ends the wait for the next delta
  try {
    await redis.connect();
    await pipeline(events(redis, url.slice(1)), response);
  } catch {
    response.destroy(); // the page or Redis is gone: a page that reconnects gets the answer so far
  }
});

async function* events(redis, name) {
  for await (const delta of followAnswer(redis, name)) yield `data: ${JSON.stringify(delta)}\n\n`;
}

server.listen(PORT, () => console.log(`Answers are at http://localhost:${server.address().port}/NAME`));
