// Inputs and outputs of respool/ag-ui, and its official client.
import assert from "node:assert/strict";
import { HttpAgent } from "@ag-ui/client";
import { EventSchema } from "@ag-ui/core/schemas";
import { toAgUiEvents } from "respool/ag-ui";
import { collect } from "./sources.mjs";

export const IDS = { threadId: "thread", runId: "run" };

export const eventsOf = (input, options) => collect(toAgUiEvents(input, { ...IDS, ...options }));
export const typesOf = async (input, options) => (await eventsOf(input, options)).map(({ type }) => type);
export const ofType = (events, ...types) => events.filter(({ type }) => types.includes(type));
export const join = (items, name) => items.map((item) => item[name]).join("");

/** Returns the messages, the warnings and the error of AG-UI's client, which verifies the order of the events. */
export async function readByClient(response, messages = []) {
  const agent = new HttpAgent({ url: "https://example.test/agent", threadId: IDS.threadId, fetch: async () => response });
  agent.setMessages(messages);
  const warnings = [];
  const { warn, error } = console;
  console.warn = (...all) => warnings.push(all.join(" "));
  console.error = () => {};
  let end;
  let failure;
  try {
    const subscriber = {
      onRunFinishedEvent({ event }) {
        end = event;
      },
      onRunErrorEvent({ event }) {
        end = event;
      },
      onRunFailed(failed) {
        failure = failed.error;
      },
    };
    await agent.runAgent({ runId: IDS.runId }, subscriber).catch((thrown) => {
      failure = thrown;
    });
  } finally {
    Object.assign(console, { warn, error });
  }
  return { messages: agent.messages, warnings, failure, end };
}

/** Returns the client's state after these events. */
export function applied(events, messages) {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  return readByClient(new Response(body, { headers: { "content-type": "text/event-stream" } }), messages);
}

const OPENS = {
  TEXT_MESSAGE_START: "text",
  REASONING_START: "span",
  REASONING_MESSAGE_START: "reasoning",
  TOOL_CALL_START: "call",
};
const ADDS = { TEXT_MESSAGE_CONTENT: "text", REASONING_MESSAGE_CONTENT: "reasoning", TOOL_CALL_ARGS: "call" };
const CLOSES = { TEXT_MESSAGE_END: "text", REASONING_END: "span", REASONING_MESSAGE_END: "reasoning", TOOL_CALL_END: "call" };

/** Checks that events are valid, ids unique, each part closed once, and that the last event is the only end. */
export function checkEvents(events) {
  const open = new Set();
  const used = new Set();
  const isEnd = ({ type }) => type === "RUN_FINISHED" || type === "RUN_ERROR";
  for (const event of events) {
    const { error } = EventSchema.safeParse(event);
    assert.equal(error, undefined, `${JSON.stringify(event)}: ${error}`);
    assert.deepEqual(event, JSON.parse(JSON.stringify(event)));
    const { type, messageId, toolCallId, stepName } = event;
    const name = (kind) => `${kind} ${toolCallId ?? messageId}`;
    if (type in OPENS) {
      // The rest of a call's arguments may follow after its end.
      assert.ok(OPENS[type] === "call" ? !open.has(name("call")) : !used.has(name(OPENS[type])), `${name(OPENS[type])} twice`);
      used.add(name(OPENS[type]));
      open.add(name(OPENS[type]));
    }
    if (type in ADDS) assert.ok(event.delta !== "" && open.has(name(ADDS[type])), `${name(ADDS[type])} isn't open`);
    if (type in CLOSES) assert.ok(open.delete(name(CLOSES[type])), `${name(CLOSES[type])} isn't open`);
    if (type === "STEP_STARTED") open.add(stepName);
    if (type === "STEP_FINISHED") assert.ok(open.delete(stepName), stepName);
    if (isEnd(event)) assert.deepEqual([...open], []);
  }
  assert.equal(events[0].type, "RUN_STARTED");
  assert.deepEqual(events.findIndex(isEnd), events.length - 1);
}

/** Checks that the client accepts the events, and shows a failure only if the run failed. Resolves with its messages. */
export async function checkClient(events) {
  const { messages, warnings, failure, end } = await applied(events);
  assert.deepEqual(warnings, []);
  assert.equal(end?.type, events.at(-1).type);
  if (end.type === "RUN_FINISHED") assert.equal(failure, undefined);
  return messages;
}

/** Merges the deltas of each part into one. */
export function joined(events) {
  const parts = new Map();
  return events.flatMap((event) => {
    if (!(event.type in ADDS)) return [event];
    const name = `${event.type} ${event.messageId ?? event.toolCallId}`;
    const known = parts.get(name);
    if (known) known.delta += event.delta;
    else parts.set(name, { ...event });
    return known ? [] : [parts.get(name)];
  });
}
