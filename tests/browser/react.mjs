// The React component from the guide docs/react.md, built by Vite from its code blocks, against a scripted model.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import sirv from "sirv";
import { ROOT } from "../../scripts/paths.mjs";
import { disconnected, onChatPage } from "./conversation.mjs";

const GUIDE = readFileSync(join(ROOT, "docs", "react.md"), "utf8");

/** The files of the guide in src/: each heading that is a file name, and the code block below. */
const FILES = Array.from(GUIDE.matchAll(/^### `([^`]+)`\n.*?^```\w+\n(.*?)^```$/gms), ([, name, text]) => ({
  name,
  text,
})).filter(({ name }) => name !== "vite.config.js");

const INDEX = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Chat</title><link rel="icon" href="data:," /></head>
  <body><div id="root"></div><script type="module" src="/src/main.jsx"></script></body>
</html>
`;

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

const LONG = Array.from({ length: 3000 }, (_, at) => ` word${at}`);
const STOPS = { port: "Bodø", stops: Array.from({ length: 40 }, (_, at) => ({ id: at, name: `Stop <${at}>` })) };

/** The checks. `open` opens a browser page for each. */
export function reactChecks(open) {
  const check = (name, turns, run) => ({ name: `the React chat, ${name}`, run: () => onPage(open, turns, run) });
  return [
    check(
      "text, reasoning and arguments",
      [
        {
          reasoning: "The user wants stops.",
          text: "I look <b>it</b> up. ",
          toolCalls: [{ id: "call_7", name: "timetable", arguments: STOPS }],
        },
        { text: "Second." },
      ],
      async (driver, { received }) => {
        await ask(driver, "Which stops?");
        await driver.says("article[aria-busy=false] .text", "I look <b>it</b> up. ");
        assert.equal(await driver.count("article b"), 0);
        await driver.says("article .reasoning", "The user wants stops.");
        assert.match(await driver.text(".call h3"), /^timetable\s*$/);
        assert.equal(await driver.count(".call > ul > li:nth-child(2) > ul > li"), STOPS.stops.length);
        await driver.says(".call", "name: Stop <39>");
        await ask(driver, "And then?");
        await driver.says("section:nth-of-type(2) .text", "Second.");
        assert.deepEqual(
          received[1].body.messages.map(({ role, content }) => `${role}: ${content}`),
          ["user: Which stops?", "assistant: I look <b>it</b> up. ", "user: And then?"],
        );
      },
    ),
    check(
      "arguments that are still arriving, stopped",
      // The role, the text, and the first half of the arguments.
      [{ text: ["So"], toolCalls: [{ name: "timetable", arguments: STOPS }], fault: { stall: 3 } }],
      async (driver, { received }) => {
        await ask(driver, "Which stops?");
        await driver.says(".call h3", "timetable (arriving)");
        await driver.says(".call", "port: Bodø");
        const shown = await driver.count(".call > ul > li:nth-child(2) > ul > li");
        assert.ok(shown > 5 && shown < STOPS.stops.length, `${shown} stops`);
        await driver.click("button", "Stop");
        await driver.says(".note", "Stopped.");
        await driver.says(".text", "So");
        await driver.says(".call", "port: Bodø");
        assert.equal(await driver.count("article button"), 0);
        await disconnected(received[0]);
      },
    ),
    check(
      "errors",
      [
        { status: 429, headers: { "retry-after": "7" }, error: { message: "Slow down" } },
        { text: ["Half"], error: { message: "Overloaded" } },
        { text: ["Cut ", "off"], fault: { end: 2 } },
      ],
      async (driver) => {
        await ask(driver, "One");
        await driver.says("section:nth-of-type(1) [role=alert]", "HTTP status 429: Slow down. Try again in 7 seconds.");
        await ask(driver, "Two");
        await driver.says("section:nth-of-type(2) [role=alert]", "Overloaded");
        await driver.says("section:nth-of-type(2) .text", "Half");
        await ask(driver, "Three");
        await driver.says("section:nth-of-type(3) .note", "The answer is cut off.");
      },
    ),
    check("renders at most once per frame", [{ text: LONG, usage: undefined }], async (driver) => {
      await driver.evaluate(countCommits);
      await ask(driver, "Go on");
      await driver.says("article[aria-busy=false] .text", LONG.at(-1));
      assert.equal(await driver.evaluate(() => document.querySelector(".text").textContent), LONG.join(""));
      const { commits, frames } = await driver.evaluate(() => globalThis.counted);
      assert.ok(commits > 0, "the count counts");
      // One commit per frame, one for the question, and one for the end of the answer.
      assert.ok(commits <= frames + 2, `${commits} commits in ${frames} frames`);
      assert.ok(commits < LONG.length / 4, `${commits} commits for ${LONG.length} deltas`);
    }),
  ];
}

/** Runs in the page: React commits synchronously, so each commit is one call of an observer. */
function countCommits() {
  globalThis.counted = { commits: 0, frames: 0 };
  const frame = () => {
    globalThis.counted.frames += 1;
    requestAnimationFrame(frame);
  };
  frame();
  const observer = new MutationObserver(() => {
    globalThis.counted.commits += 1;
  });
  observer.observe(document.getElementById("root"), { childList: true, subtree: true, characterData: true, attributes: true });
}

async function ask(driver, text) {
  await driver.fill("input", "Message", text);
  await driver.click("button", "Send");
}

/** @type {Promise<string> | undefined} */
let built;

async function onPage(open, turns, run) {
  built ??= buildPage();
  const folder = await built;
  await onChatPage({ open, turns, isStrict: false, start: (modelUrl) => servePage(folder, modelUrl) }, run);
}

/** Writes the guide's files as a project, builds it, and resolves with the folder of the page. */
async function buildPage() {
  const { build } = await import("vite");
  const folder = mkdtempSync(join(tmpdir(), "respool-react-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "index.html"), INDEX);
  for (const { name, text } of FILES) writeFileSync(join(folder, "src", name), text);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules", "respool"), "dir");
  for (const name of ["react", "react-dom"])
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name), "dir");
  await build({ root: folder, configFile: false, logLevel: "error", build: { chunkSizeWarningLimit: 2000 } });
  return join(folder, "dist");
}

/** Serves the page, and forwards its requests to the model. */
async function servePage(folder, modelUrl) {
  const files = sirv(folder, { setHeaders: (response) => response.setHeader("content-security-policy", POLICY) });
  const server = createServer(async (request, response) => {
    if (request.url !== "/api/chat") return files(request, response);
    const leave = new AbortController();
    response.on("close", () => leave.abort());
    try {
      const { messages } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      const body = JSON.stringify({ model: "stub", stream: true, messages });
      const headers = { "content-type": "application/json" };
      const answer = await fetch(modelUrl, { method: "POST", headers, body, signal: leave.signal });
      const kept = ["content-type", "retry-after"]
        .map((name) => [name, answer.headers.get(name)])
        .filter(([, value]) => value !== null);
      response.writeHead(answer.status, Object.fromEntries(kept));
      await pipeline(Readable.fromWeb(answer.body), response);
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
