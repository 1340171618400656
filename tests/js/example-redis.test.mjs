// examples/redis-streams/ with a Redis server of its own: workers are killed, pages join at any time.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createClient } from "redis";
import { ROOT } from "../../scripts/paths.mjs";
import { followDeltas, startSource, TEXT, textOf, typesOf } from "./growing-source.mjs";

const EXAMPLE = join(ROOT, "examples", "redis-streams");
const skip = spawnSync("redis-server", ["--version"]).error ? "There is no redis-server." : false;
const KINDS = ["text", "tool-call-start", "tool-call-delta", "tool-call-end", "finish"];

describe("answers in Redis", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "respool-redis-"));
  const socket = join(folder, "socket");
  const processes = new Set();

  /** Starts a process; `says` resolves with its next line that matches. */
  function start(command, args, env = {}) {
    const child = spawn(command, args, { env: { ...process.env, REDIS_URL: `unix://${socket}`, PORT: "0", ...env } });
    processes.add(child);
    const ended = once(child, "exit");
    const lines = createInterface(child.stdout);
    let complaint = "";
    child.stderr.on("data", (text) => {
      complaint += text;
    });
    const says = (pattern) =>
      new Promise((resolve, reject) => {
        lines.on("line", (line) => pattern.test(line) && resolve(pattern.exec(line)));
        ended.then(() => reject(new Error(`${args.join(" ")} has ended: ${complaint}`)));
      });
    return { child, ended, says, complaint: () => complaint };
  }
  const node = (file, args, env) => start(process.execPath, [join(EXAMPLE, file), ...args], env);
  const startWorker = (name, source) => node("worker.js", [name], { SOURCE_URL: source.url });
  const kill = async ({ child, ended }) => {
    child.kill("SIGKILL");
    assert.deepEqual(await ended, [null, "SIGKILL"]);
  };

  let origin;
  /** Returns a page that reads an answer. */
  const join_ = async (name) => followDeltas(await fetch(`${origin}/${name}`));

  before(async () => {
    const redis = start("redis-server", ["--port", "0", "--unixsocket", socket, "--dir", folder, "--save", ""]);
    await redis.says(/ready to accept connections/i);
    [, origin] = await node("server.js", []).says(/(http:\/\/localhost:\d+)/);
  });
  after(async () => {
    for (const child of processes) child.kill("SIGKILL");
    await Promise.all([...processes].map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")));
    rmSync(folder, { recursive: true, force: true });
  });

  test("pages join at any time, also after the worker was killed", async () => {
    const source = await startSource();
    try {
      const first = await join_("ferry");
      const worker = startWorker("ferry", source);
      source.reach(0.3);
      const known = textOf(await first.until((deltas) => textOf(deltas).length > 0));
      assert.ok(TEXT.startsWith(known) && known !== TEXT, known);

      const second = await join_("ferry");
      const [there] = await second.until((deltas) => deltas.length > 0);
      assert.deepEqual(there, { type: "text", text: known }, "all that is there is one delta");
      await kill(worker);

      source.reach(0.9);
      const next = startWorker("ferry", source);
      const isCalled = (deltas) => typesOf(deltas).includes("tool-call-delta");
      for (const page of [first, second]) assert.equal(textOf(await page.until(isCalled)), TEXT);
      const third = await join_("ferry");
      await third.until(isCalled);
      source.end();
      assert.deepEqual(await next.ended, [0, null], next.complaint());

      const fourth = await join_("ferry");
      for (const page of [first, second, third, fourth]) {
        const all = await page.toEnd();
        assert.equal(textOf(all), TEXT);
        assert.deepEqual([...new Set(typesOf(all))], KINDS);
        for (const once of KINDS.filter((type) => /start|end|finish/.test(type))) {
          assert.equal(typesOf(all).filter((type) => type === once).length, 1, once);
        }
        assert.equal(argumentsOf(all), '{"port":"Skjervøy"}');
      }
      assert.ok(source.ranges.length === 2 && source.ranges[0] === 0 && source.ranges[1] > 0, `${source.ranges}`);
    } finally {
      source.close();
    }
  });

  test("of two workers, one continues, and each delta arrives once", async () => {
    const source = await startSource();
    try {
      const page = await join_("quay");
      const workers = [startWorker("quay", source), startWorker("quay", source)];
      while (source.ranges.length < 2) await new Promise((resolve) => setImmediate(resolve));
      source.reach(0.5);
      const [code] = await Promise.race(workers.map(({ ended }) => ended));
      assert.equal(code, 1);
      source.end();
      const codes = (await Promise.all(workers.map(({ ended }) => ended))).map(([code]) => code);
      assert.deepEqual(codes.sort(), [0, 1]);
      assert.match(workers.map(({ complaint }) => complaint()).join(""), /Another worker|WatchError/);
      assert.equal(textOf(await page.toEnd()), TEXT);
    } finally {
      source.close();
    }
  });

  test("after a worker was killed after the last byte, another one ends the answer", async () => {
    const source = await startSource();
    try {
      const page = await join_("tide");
      const worker = startWorker("tide", source);
      source.reach(1);
      await page.until((deltas) => argumentsOf(deltas).endsWith("}"));
      await kill(worker);
      source.end();
      assert.deepEqual(await startWorker("tide", source).ended, [0, null]);
      assert.deepEqual([...new Set(typesOf(await page.toEnd()))], KINDS);
    } finally {
      source.close();
    }
  });

  test("a page that leaves doesn't disturb the others", async () => {
    const source = await startSource();
    try {
      const [page, other] = [await join_("port"), await join_("port")];
      const worker = startWorker("port", source);
      source.reach(0.3);
      await page.until((deltas) => deltas.length > 0);
      await page.leave();
      source.end();
      assert.equal(textOf(await other.toEnd()), TEXT);
      assert.deepEqual(await worker.ended, [0, null]);
    } finally {
      source.close();
    }
  });

  test("a page that leaves while nothing arrives releases its connection", async () => {
    const redis = await createClient({ url: `unix://${socket}` }).connect();
    try {
      const connections = async () =>
        String(await redis.sendCommand(["CLIENT", "LIST"]))
          .trim()
          .split("\n").length;
      const before = await connections();
      const leaving = new AbortController();
      await fetch(`${origin}/nobody-reads-it`, { signal: leaving.signal });
      while ((await connections()) === before) await setTimeout(5);
      leaving.abort();
      for (let turns = 0; turns < 200 && (await connections()) > before; turns++) await setTimeout(10);
      assert.equal(await connections(), before);
    } finally {
      redis.destroy();
    }
  });

  test("a source that can't be read from the middle isn't read twice", async () => {
    const source = await startSource();
    try {
      const page = await join_("jetty");
      const worker = startWorker("jetty", source);
      source.reach(0.3);
      const known = textOf(await page.until((deltas) => textOf(deltas).length > 0));
      await kill(worker);
      source.forgetRanges();
      const next = startWorker("jetty", source);
      assert.deepEqual(await next.ended, [1, null]);
      assert.match(next.complaint(), /The source can't be read from the middle/);
      const again = await join_("jetty");
      assert.equal(textOf(await again.until((deltas) => deltas.length > 0)), known);
    } finally {
      source.close();
    }
  });

  test("start.js starts another worker when one is killed", async () => {
    const demonstration = node("start.js", [], { PACE_MS: "20" });
    const [[, at], [, pid, name]] = await Promise.all([
      demonstration.says(/(http:\/\/localhost:\d+)/),
      demonstration.says(/Worker (\d+) reads (\S+)/),
    ]);
    const page = followDeltas(await fetch(`${at}/${name}`));
    await page.until((deltas) => deltas.length > 0);
    const another = demonstration.says(/Worker (\d+) reads/);
    process.kill(Number(pid), "SIGKILL");
    assert.notEqual((await another)[1], pid);
    const all = await page.toEnd();
    assert.match(textOf(all), /^The ferry to Skjervøy .* ten minutes\.$/);
    assert.equal(all.at(-1).type, "finish");
  });
});

test("the guide shows the code of the example", () => {
  const program = readFileSync(join(EXAMPLE, "answer.js"), "utf8");
  const guide = readFileSync(join(ROOT, "docs", "resume.md"), "utf8");
  const [, shown] = /## With Redis[\s\S]*?```mjs\n([\s\S]*?)```/.exec(guide);
  for (const block of shown.trim().split("\n\n")) assert.ok(program.includes(block), block);
});

/** Returns the arguments of the call. */
function argumentsOf(deltas) {
  return deltas.map((delta) => (delta.type === "tool-call-delta" ? delta.arguments : "")).join("");
}
