// Many requests at once, one in ten with a fault, in rounds; prints the resources in use after each round. runner-load.test.mjs
// runs it in a separate process, because the test runner tracks every promise.
import assert from "node:assert/strict";
import { moduleBytes } from "./leaks.mjs";
import { APIS, ask, resultOf, server, settled } from "./requests.mjs";

const [COUNT, ROUNDS] = process.argv.slice(2).map(Number);
const FAULTS = [{ cut: 4 }, { end: 4 }, { stall: 4 }, { garbage: 2 }];
const tools = { ferry: async ({ port }) => `${port}: 9:35` };

/** Every tenth request has one of the faults at first, and recovers. */
function start(number) {
  const text = `It leaves at ${number}.`;
  const call = { text: "Wait. ", fault: { gather: true }, toolCalls: [{ name: "ferry", arguments: { port: `port ${number}` } }] };
  const fault = number % 10 === 0 ? FAULTS[(number / 10) % FAULTS.length] : undefined;
  const limited = number % 10 === 5 ? [{ status: 429, headers: { "retry-after": "0" } }] : [];
  const broken = fault && !("garbage" in fault);
  const turns = [
    ...limited,
    call,
    ...(fault ? [{ text, fault }] : []),
    ...(!fault || broken ? [{ text, fault: { gather: true } }] : []),
  ];
  const conversation = server.script(turns);
  const clock = clockOf(conversation);
  const options = { tools, maxRetries: 1, stallTimeoutMs: 60_000, clock, transport: { maxRetries: 1 } };
  const { request } = ask(APIS[number % APIS.length], conversation, options);
  return { request, conversation, check: (result) => checkResult(result, text, broken, number) };
}

/** A delay of a minute, the stall time-out, ends when the server reports a stall; all other delays end at once. */
function clockOf({ received }) {
  const isOver = (ms) => ms < 60_000 || received.at(-1)?.end === "stalled";
  return {
    setTimeout(run, ms) {
      const timer = setInterval(() => {
        if (!isOver(ms)) return;
        clearInterval(timer);
        run();
      }, 20);
      return timer;
    },
    clearTimeout: clearInterval,
  };
}

function checkResult({ state, text, failure }, expected, broken, number) {
  assert.equal(state, "completed", `${number}: ${failure?.message}`);
  assert.ok(text.startsWith("Wait. ") && text.endsWith(expected), `${number}: ${text}`);
  // A failed attempt emitted the beginning of the same text.
  const attempt = text.slice(6, -expected.length);
  assert.ok(broken ? expected.startsWith(attempt) : attempt === "", `${number}: ${text}`);
}

const rounds = [];
for (let round = 0; round < ROUNDS; round++) {
  const all = Array.from({ length: COUNT }, (_, number) => start(number));
  const results = await Promise.all(all.map(({ request }) => resultOf(request)));
  for (const [index, { check }] of all.entries()) check(results[index]);
  const { ends, live } = await settled(...all.map(({ conversation }) => conversation));
  assert.ok(
    ends.every((end) => end === "sent" || end === "left"),
    ends.join(),
  );
  assert.equal(live, 0);
  server.clear();
  // A socket is released when both of its ends are closed.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc();
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  rounds.push({ heap: process.memoryUsage().heapUsed, module: moduleBytes(), timers });
}
console.log(JSON.stringify(rounds));
await server.close();
process.exit();
