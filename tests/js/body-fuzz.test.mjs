// Random bodies in the shapes that providers document, and with fields of unexpected types: nothing is lost, and all forms
// of an answer lead to the same result.
// A failure prints the seed; BODY_SEED repeats it, and BODY_ROUNDS makes it a long run.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ModelResponseConverter, StreamAccumulator, decode, detectApi, process as processBody, processAsync } from "respool";
import { sseText } from "./answers.mjs";
import { anthropicBody, anthropicStream } from "./bodies/anthropic.mjs";
import { chatBody, chatStream } from "./bodies/chat.mjs";
import { Maker, damaged, lostIn } from "./bodies/leaves.mjs";
import { responsesBody, responsesStream } from "./bodies/responses.mjs";
import { roundsOf, seedOf } from "./random.mjs";

const SEED = seedOf("BODY");
const ROUNDS = roundsOf("BODY", 50);

const APIS = {
  "openai-chat": { make: chatBody, stream: chatStream },
  "anthropic-messages": { make: anthropicBody, stream: anthropicStream },
  "openai-responses": { make: responsesBody, stream: responsesStream },
};

const encode = (text) => new TextEncoder().encode(text);

/** Runs a check on random bodies. A failure quotes the body. */
function eachBody(make, check) {
  for (let round = 0; round < ROUNDS; round++) {
    const maker = new Maker(SEED * 1000 + round);
    const body = make(maker);
    try {
      check(body, maker);
    } catch (error) {
      throw new Error(`BODY_SEED=${SEED}, round ${round}\n${JSON.stringify(body)}\n${error.message}`, { cause: error });
    }
  }
}

async function eachBodyAsync(make, check) {
  const bodies = [];
  eachBody(make, (body, maker) => bodies.push([body, maker]));
  for (const [round, [body, maker]] of bodies.entries()) {
    await check(body, maker).catch((error) => {
      throw new Error(`BODY_SEED=${SEED}, round ${round}\n${JSON.stringify(body)}\n${error.message}`, { cause: error });
    });
  }
}

function resultOf(push, options) {
  const accumulator = new StreamAccumulator(options);
  push(accumulator);
  const result = accumulator.finish();
  accumulator.free();
  return result;
}

/** Returns the result of a call, or the code of its error. */
function outcome(call) {
  try {
    return call();
  } catch (error) {
    return { thrown: error.code, message: error.message };
  }
}

/** Returns the body as it can be compared with a decoded answer: that of a single choice has no index. */
function kept(body, answer) {
  if (answer.choices || !Array.isArray(body.choices)) return body;
  return {
    ...body,
    choices: body.choices.map((choice) => (typeof choice?.index === "number" ? { ...choice, index: 0 } : choice)),
  };
}

/** Whether a choice ended to call a tool, but has no call. */
const isCallMissing = ({ finishReason, toolCalls }) => finishReason === "tool_use" && !toolCalls?.length;

for (const [api, { make, stream }] of Object.entries(APIS)) {
  describe(`${api} (seed ${SEED})`, () => {
    test("a body loses nothing", () =>
      eachBody(make, (body) => {
        assert.equal(detectApi(body), api);
        assert.deepEqual(lostIn(decode(body), body), []);
      }));

    test("its stream leads to the same result", () =>
      eachBody(make, (body, maker) => {
        const events = JSON.parse(JSON.stringify(stream(structuredClone(body), maker)));
        const whole = decode(body);
        const objects = resultOf((accumulator) => events.map((event) => accumulator.push(event)));
        assert.deepEqual([objects.response, objects.ending], [whole, "complete"]);
        const lacksCall = [whole, ...(whole.choices ?? [])].some(isCallMissing);
        const isExpected = ({ code }) => code === "missing-tool-call" && lacksCall;
        assert.deepEqual(
          objects.warnings.filter((warning) => !isExpected(warning)),
          [],
        );
        assert.deepEqual(
          resultOf((accumulator) => accumulator.pushBytes(encode(sseText(events).join("")))),
          objects,
        );
      }));

    test("all forms of a body lead to the same result", () =>
      eachBodyAsync(make, async (body, maker) => {
        const text = JSON.stringify(body);
        const options = maker.chance(2) ? { textBlocks: "first" } : {};
        const value = processBody({}, body, options);
        for (const form of [text, encode(text), encode(text).buffer, JSON.stringify(body, null, 2)]) {
          assert.deepEqual(processBody({}, form, options), value);
          assert.deepEqual(await processAsync({}, form, options), value);
        }
        const events = JSON.parse(JSON.stringify(stream(structuredClone(body), maker)));
        for (const source of [Response.json(body), new Response(text).body, events]) {
          assert.deepEqual(await processAsync({}, source, options), value);
        }
        const messages = [body, text, Response.json(body), events].map((source) =>
          new ModelResponseConverter(source, "auto").invoke(),
        );
        const [first, ...others] = (await Promise.all(messages)).map(({ messageId, timestamp, raw, ...message }) => message);
        for (const message of others) assert.deepEqual(message, first);
      }));

    test("fields of unexpected types are kept", () => {
      let count = 0;
      eachBody(
        (maker) => damaged(make(maker), maker),
        (body) => {
          const answer = outcome(() => decode(body));
          const text = JSON.stringify(body);
          for (const form of [text, encode(text)])
            assert.deepEqual(
              outcome(() => decode(form)),
              answer,
            );
          if (answer.thrown) return assert.equal(answer.thrown, "unknown-response");
          count += 1;
          assert.deepEqual(lostIn(answer, kept(body, answer)), []);
          const event = resultOf((accumulator) => accumulator.push(body), { api });
          assert.deepEqual(event.response, answer);
          const whole = resultOf((accumulator) => accumulator.pushBytes(encode(text)), { api });
          // Bytes that are one object are the whole answer, so its calls have ended. More events may follow an event.
          const isEnded = event.ending === "truncated" && whole.ending === "complete";
          const end = isEnded && { ending: whole.ending, warnings: whole.warnings };
          assert.deepEqual(whole, { ...event, ...end });
        },
      );
      assert.ok(count > ROUNDS / 2, `${count} could be read`);
    });
  });
}
