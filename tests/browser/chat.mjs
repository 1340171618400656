// The chat page from the guide docs/browser-chat.md, built from its code blocks, against a scripted model.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/paths.mjs";
import { disconnected, onChatPage } from "./conversation.mjs";

const GUIDE = readFileSync(join(ROOT, "docs", "browser-chat.md"), "utf8");

/** The files of the guide: each heading that is a file name, an optional variant, and the code block below. */
const FILES = Array.from(GUIDE.matchAll(/^### `([^`]+)`(.*?)\n.*?^```\w+\n(.*?)^```$/gms), ([, name, variant, text]) => ({
  name,
  variant: variant.trim(),
  text,
}));

/** The checks. `open` opens a browser page for each. */
export function chatChecks(open) {
  const check = (name, variant, turns, run) => ({ name: `the chat page, ${name}`, run: () => onPage(open, variant, turns, run) });
  return [
    check(
      "text and a tool",
      "",
      [
        { text: "One moment. ", toolCalls: [{ id: "call_7", name: "local_time" }] },
        { text: ["It is ", "<b>noon</b>", " & <img src=x onerror=alert(1)>."] },
        { text: "You asked for the time." },
      ],
      async (driver, { received }) => {
        await ask(driver, "What time is it?");
        await driver.says(".assistant:last-of-type", "It is <b>noon</b> & <img src=x onerror=alert(1)>.");
        assert.equal(await driver.count("#messages b, #messages img"), 0);
        assert.equal(await driver.text(".tool"), "local_time {}");
        await ask(driver, "What did I ask?");
        await driver.says("#messages", "You asked for the time.");
        const [first, , third] = received;
        assert.equal(first.headers.authorization, "Bearer secret");
        assert.equal(first.body.model, "stub");
        assert.deepEqual(
          third.body.messages.map(({ role, tool_call_id: id }) => id ?? role),
          ["user", "assistant", "call_7", "assistant", "user"],
        );
        assert.match(third.body.messages[2].content, /GMT/);
        assert.equal(await driver.evaluate(() => document.documentElement.innerHTML.includes("secret")), false);
      },
    ),
    check(
      "stopped",
      "",
      [{ text: ["So ", "far ", "and ", "no ", "further"], fault: { stall: 4 } }],
      async (driver, { received }) => {
        await ask(driver, "Go on");
        await driver.says(".assistant", "So far");
        await driver.click("button", "Stop");
        await driver.says(".note", "Stopped.");
        await driver.find("button:not(:disabled)", "Send");
        await disconnected(received[0]);
      },
    ),
    check("a failed response", "", [{ status: 401, error: { message: "Incorrect API key" } }], async (driver) => {
      await ask(driver, "Ferry?");
      await driver.says(".note", "Incorrect API key");
    }),
    check(
      "Markdown",
      "for Markdown",
      [
        {
          text: [
            "It is **no",
            "on**. ",
            '<img src="https://example.test/?told">',
            "<script>alert(1)</script>",
            " [Map](javascript:alert(1))",
          ],
        },
      ],
      async (driver) => {
        await ask(driver, "What time is it?");
        await driver.says(".assistant strong", "noon");
        await driver.says(".assistant", "Map");
        assert.equal(await driver.count(".assistant img, .assistant script, .assistant [href]"), 0);
      },
    ),
  ];
}

async function ask(driver, text) {
  await driver.find("button:not(:disabled)", "Send");
  await driver.fill("input", "Message", text);
  await driver.click("button", "Send");
}

const onPage = (open, variant, turns, run) =>
  onChatPage({ open, turns, isStrict: true, start: (modelUrl) => startPage(variant, modelUrl) }, run);

/** Writes the guide's files into a folder that has the packages, and starts the guide's server. */
async function startPage(variant, modelUrl) {
  const folder = mkdtempSync(join(tmpdir(), "respool-chat-"));
  for (const file of [
    ...FILES.filter((each) => each.variant === ""),
    ...FILES.filter((each) => variant !== "" && each.variant === variant),
  ]) {
    writeFileSync(join(folder, file.name), file.text);
  }
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules", "respool"), "dir");
  for (const name of ["marked", "dompurify"])
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name), "dir");
  const env = { ...process.env, MODEL_URL: modelUrl, MODEL_KEY: "secret", MODEL: "stub", PORT: "0" };
  const server = spawn(process.execPath, [join(folder, "server.mjs")], { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => server.once("exit", resolve));
  const origin = await new Promise((resolve, reject) => {
    server.stdout.once("data", (line) => resolve(String(line).trim()));
    exited.then((code) => reject(new Error(`the guide's server exited with ${code}`)));
  });
  return {
    origin,
    async close() {
      server.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
