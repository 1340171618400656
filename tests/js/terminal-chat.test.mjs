// The terminal chat in docs/request-runner.md, run unchanged against the model server.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";
import { startModelServer } from "../server/index.mjs";

const server = await startModelServer();
after(() => server.close());

const guide = readFileSync(join(ROOT, "docs/request-runner.md"), "utf8");
const [, code] = /^```mjs\n(import \{ createInterface \}.*?)^```$/ms.exec(guide);

const TURNS = [
  { text: "Let me see. ", toolCalls: [{ name: "time" }, { name: "weather", arguments: { city: "Bodø" } }] },
  { text: "Noon, and 7 °C." },
  { toolCalls: [{ name: "weather", arguments: { town: "Bodø" } }] },
  { text: "Sorry." },
  { status: 401, error: { message: "Wrong key" } },
  { text: "Bye." },
];

test("is short", () => assert.ok(code.trim().split("\n").length < 25));

test("runs its tools, keeps the conversation, and survives errors", async () => {
  const folder = join(ROOT, ".tools", "snippets");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "terminal-chat.mjs");
  writeFileSync(file, code);
  const conversation = server.script([...TURNS]);
  const env = { ...process.env, MODEL_URL: conversation.urlOf("openai-chat"), MODEL_KEY: "key" };
  const chat = spawn(process.execPath, [file], { env });
  let [shown, faults] = ["", ""];
  chat.stderr.on("data", (data) => (faults += data));
  const questions = ["Weather?", "And in another way?", "Wrong", "Bye"];
  chat.stdout.on("data", (data) => {
    shown += data;
    // Each prompt is answered with the next question; after the last one, the input ends.
    while (shown.split("> ").length - 1 > 4 - questions.length && questions.length > 0)
      chat.stdin.write(`${questions.shift()}\n`);
    if (shown.split("> ").length - 1 > 4) chat.stdin.end();
  });
  const status = await new Promise((resolve) => chat.on("close", resolve));
  assert.deepEqual([status, faults], [0, ""]);
  assert.deepEqual(
    shown
      .replaceAll(/\n+/g, "\n")
      .split("> ")
      .map((part) => part.trim()),
    ["", "Let me see. Noon, and 7 °C.", "Sorry.", "HTTP status 401: Wrong key", "Bye.", ""],
  );
  const { received } = conversation;
  assert.ok(received.every(({ isRefused }) => !isRefused));
  assert.equal(received[0].headers.authorization, "Bearer key");
  const sent = received.at(-1).body.messages.map(({ role, content }) => (role === "user" ? content : role));
  assert.deepEqual(sent, [
    ...["Weather?", "assistant", "tool", "tool", "assistant"],
    ...["And in another way?", "assistant", "tool", "assistant", "Wrong", "Bye"],
  ]);
  assert.match(JSON.stringify(received[3].body.messages), /don't match its parameters: city/);
});
