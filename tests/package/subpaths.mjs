// The other entries of an installed package, which work together with its main entry.
import { equal, ok } from "./expect.mjs";

/** Checks loaded copies of `respool` and its other entries. OpenTelemetry's API is installed by the project. */
export default async function checkSubpaths(respool, { otel, aiSdk, agUi, core, encode }) {
  const { otelTracer } = otel;
  const seen = [];
  const span = {
    setAttributes: (all) => seen.push(all),
    end: () => seen.push("end"),
    updateName() {},
    recordException() {},
    setStatus() {},
  };
  const startSpan = (name) => {
    seen.push(name);
    return span;
  };
  respool.tracer.add("otel", otelTracer({ startSpan }));
  respool.process({}, { choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] });
  respool.tracer.clear();
  equal([seen[0], seen[1]["gen_ai.response.finish_reasons"], seen[2]], ["chat", ["stop"], "end"], "a span");

  const answer = [{ choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] }];
  const response = aiSdk.toUIMessageStreamResponse(answer);
  equal(response.headers.get("x-vercel-ai-ui-message-stream"), "v1", "header");
  const text = await response.text();
  ok(text.includes('"type":"text-delta"') && text.endsWith("data: [DONE]\n\n"), `chunks, not ${text}`);

  const events = await agUi.toAgUiResponse(answer, { threadId: "t", runId: "r" }).text();
  ok(events.includes('"delta":"Hi"') && events.includes('"type":"RUN_FINISHED"'), `events, not ${events}`);

  await checkCore(respool, core);
  await checkEncode(respool, encode);
}

async function checkCore(respool, core) {
  const events = [
    { choices: [{ delta: { content: "Hi" } }] },
    { choices: [{ delta: { tool_calls: [{ id: "a", function: { name: "now", arguments: "{}" } }] } }] },
    { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
  ];
  equal(await core.processAsync({}, events), await respool.processAsync({}, events), "the same calls");
  const text = core.process({}, { type: "message", content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn" });
  equal(text, "Hi", "a body");
  const gemini = { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] };
  equal([core.detectApi(gemini), respool.detectApi(gemini)], [undefined, "gemini"], "the interfaces");
  try {
    new core.StreamAccumulator({ reasoningTags: true });
    ok(false, "the search of text to be refused");
  } catch (error) {
    ok(respool.RespoolError.isInstance(error) && error.code === "invalid-option", "an error of respool");
  }
}

async function checkEncode({ RespoolError, decode }, { encode, StreamEncoder, translateResponse, translateStream }) {
  const choice = { message: { content: "Hi" }, finish_reason: "stop" };
  const whole = decode({ choices: [choice], usage: { prompt_tokens: 3, completion_tokens: 1 } });
  const { body, lost } = encode(whole, "anthropic-messages");
  equal([body.content[0].text, body.stop_reason, lost], ["Hi", "end_turn", []], "a body");
  const { stream, result } = translateStream([{ choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] }], {
    to: "anthropic-messages",
  });
  const written = await new Response(stream).text();
  ok(written.includes('"text":"Hi"') && written.includes("message_stop"), `events, not ${written}`);
  equal((await result).text, "Hi", "the result");
  const page = await translateResponse(new Response("<p>Bad gateway", { status: 502 }), { to: "openai-chat" });
  equal([page.status, typeof (await page.json()).error.message], [502, "string"], "an error");
  try {
    new StreamEncoder("openai");
    ok(false, "an unknown interface to be refused");
  } catch (error) {
    ok(error instanceof RespoolError, "errors of the main entry's class");
  }
}
