// Reads one answer: node worker.js NAME. If it is killed, the next one continues from the saved state.
import { createClient } from "redis";
import { readAnswer } from "./answer.js";

const [name] = process.argv.slice(2);
const { REDIS_URL, SOURCE_URL } = process.env;

const redis = createClient({ url: REDIS_URL }).on("error", ({ message }) => console.error(message));
await redis.connect();
try {
  await readAnswer(redis, name, SOURCE_URL);
} finally {
  redis.destroy();
}
