// The server of docs/browser-chat.md.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";

const guide = readFileSync(join(ROOT, "docs/browser-chat.md"), "utf8");
const [, code] = /^### `server\.mjs`\n.*?^```mjs\n(.*?)^```$/ms.exec(guide);

test("a redirect of the model server isn't followed", async (t) => {
  const asked = [];
  const model = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(307, { location: "/elsewhere" }).end();
  }).listen(0, "127.0.0.1");
  t.after(() => model.close());
  await once(model, "listening");
  const folder = join(ROOT, ".tools", "snippets");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "chat-server.mjs");
  writeFileSync(file, code);
  const env = { ...process.env, MODEL_URL: `http://127.0.0.1:${model.address().port}/v1`, MODEL: "m", PORT: "0" };
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "ignore"] });
  t.after(() => child.kill());
  const [line] = await once(child.stdout, "data");
  const { status } = await fetch(`${String(line).trim()}/api/chat`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ messages: [] }),
  });
  assert.deepEqual([status, asked], [502, ["/v1"]]);
});
