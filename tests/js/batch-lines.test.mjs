// Lines of batch result files: decode, process and detectApi read the body inside, or throw what the line reports.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ProviderError, decode, detectApi, process, processAsync } from "respool";

const chat = { id: "chatcmpl-1", object: "chat.completion", choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] };
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
};
const responses = {
  id: "resp_1",
  object: "response",
  status: "completed",
  output: [{ type: "message", content: [{ type: "output_text", text: "Hi" }] }],
};

const openai = (response, more) => ({ id: "batch_req_1", custom_id: "a", response, error: null, ...more });
const anthropic = (result) => ({ custom_id: "a", result });

const ANSWERS = [
  ["OpenAI's, chat", openai({ status_code: 200, request_id: "req_1", body: chat }), "openai-chat", "chatcmpl-1"],
  ["OpenAI's, Responses", openai({ status_code: 200, request_id: "req_1", body: responses }), "openai-responses", "resp_1"],
  ["without a status", { custom_id: "a", response: { body: chat } }, "openai-chat", "chatcmpl-1"],
  ["with an empty error", openai({ status_code: 200, body: chat }, { error: {} }), "openai-chat", "chatcmpl-1"],
  ["Anthropic's", anthropic({ type: "succeeded", message }), "anthropic-messages", "msg_1"],
];

const contents = { candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }] };
const converse = { output: { message: { role: "assistant", content: [{ text: "Hi" }] } }, stopReason: "end_turn" };
const modelInput = { messages: [{ role: "user", content: "Which ferry?" }] };
const OTHERS = [
  ["Gemini's", { key: "a", response: contents }, "gemini", "a", contents],
  ["Bedrock's, of Anthropic", { modelInput, modelOutput: message, recordId: "a" }, "anthropic-messages", "a", message],
  ["Bedrock's, of Converse", { recordId: "a", modelInput, modelOutput: converse }, "bedrock-converse", "a", converse],
  ["Vertex AI's", { status: "", request: { contents: [] }, response: contents }, "gemini", undefined, contents],
  [
    "Vertex AI's, of Anthropic",
    { custom_id: "a", status: "", request: {}, response: message },
    "anthropic-messages",
    "a",
    message,
  ],
];

describe("a line of another form with a response", () => {
  for (const [name, line, api, id, body] of OTHERS) {
    test(name, () => {
      const response = decode(line);
      assert.deepEqual([detectApi(line), response.extra.custom_id, process({}, line)], [api, id, "Hi"]);
      const { custom_id, ...extra } = response.extra;
      assert.deepEqual({ ...response, extra }, decode(body));
    });
  }
});

describe("a line with a response", () => {
  for (const [name, line, api, id] of ANSWERS) {
    test(name, async () => {
      const text = JSON.stringify(line);
      for (const input of [line, text, new TextEncoder().encode(text)]) {
        const response = decode(input);
        assert.deepEqual([response.api, response.id, response.message, response.finishReason], [api, id, "Hi", "complete"]);
        assert.equal(response.extra.custom_id, "a");
        const { custom_id, ...extra } = response.extra;
        assert.deepEqual({ ...response, extra }, decode(line.response?.body ?? line.result.message));
        assert.equal(process({}, input), "Hi");
        assert.equal(detectApi(input), api);
      }
      assert.equal(await processAsync({}, line), "Hi");
    });
  }
});

const overloaded = { type: "overloaded_error", message: "Busy" };
const FAILURES = [
  [
    "a request that failed",
    openai({ status_code: 429, request_id: "req_1", body: { error: { message: "Slow down", type: "rate", code: "limit" } } }),
    { message: "Slow down", status: 429, requestId: "req_1", providerType: "rate", providerCode: "limit" },
  ],
  [
    "an error beside no response",
    openai(null, { error: { code: "batch_expired", message: "Too late" } }),
    { message: "Too late", providerCode: "batch_expired" },
  ],
  [
    "an error beside an empty response",
    openai({ status_code: 0, request_id: "", body: {} }, { error: { code: "x", message: "Lost" } }),
    { message: "Lost", providerCode: "x" },
  ],
  [
    "an error page",
    openai({ status_code: 502, body: "<html>Bad gateway</html>" }),
    { message: 'HTTP status 502: "<html>Bad gateway</html>"', status: 502 },
  ],
  ["a status alone", openai({ status_code: 500, body: null }), { message: "HTTP status 500", status: 500 }],
  [
    "Anthropic's error",
    anthropic({ type: "errored", error: { type: "error", request_id: "req_2", error: overloaded } }),
    { message: "Busy", providerType: "overloaded_error", requestId: "req_2" },
  ],
  [
    "Anthropic's error, without a wrapper",
    anthropic({ type: "errored", error: overloaded }),
    { message: "Busy", providerType: "overloaded_error" },
  ],
  [
    "errored without an error",
    anthropic({ type: "errored" }),
    { message: "The request has no response: errored", providerType: "errored" },
  ],
  [
    "Gemini's error",
    { key: "a", error: { code: 400, message: "No such port", status: "INVALID_ARGUMENT" } },
    { message: "No such port", providerType: "INVALID_ARGUMENT", providerCode: "400" },
  ],
  [
    "Bedrock's error",
    { recordId: "a", modelInput, error: { errorCode: 400, errorMessage: "No such port" } },
    { message: "No such port", providerCode: "400" },
  ],
  [
    "Vertex AI's error",
    { status: 'Bad Request: {"error":{"code":400}}', request: { contents: [] }, response: {} },
    { message: 'Bad Request: {"error":{"code":400}}' },
  ],
  [
    "canceled",
    anthropic({ type: "canceled" }),
    { message: "The request was canceled before it was processed", providerType: "canceled" },
  ],
  [
    "expired",
    anthropic({ type: "expired" }),
    { message: "The request expired before it was processed", providerType: "expired" },
  ],
];

describe("a line without a response", () => {
  for (const [name, line, expected] of FAILURES) {
    test(name, async () => {
      const text = JSON.stringify(line);
      for (const read of [() => decode(line), () => decode(text), () => process({}, text), () => processAsync({}, line)]) {
        await assert.rejects(
          async () => read(),
          (error) => {
            assert.ok(ProviderError.isInstance(error), String(error));
            const { message, status, requestId, providerType, providerCode } = error;
            const found = { message, status, requestId, providerType, providerCode };
            assert.deepEqual(JSON.parse(JSON.stringify(found)), expected);
            assert.equal(error.customId, line.custom_id ?? line.key ?? line.recordId);
            return error.code === "provider-error";
          },
        );
      }
      assert.equal(detectApi(line), undefined);
    });
  }
});

test("a body with a custom_id of its own is a body", () => {
  const response = decode({ ...chat, custom_id: 7 });
  assert.deepEqual([response.message, response.extra.custom_id], ["Hi", 7]);
});

test("an event of Responses isn't a line of a batch", () => {
  assert.throws(() => decode({ type: "response.completed", response: responses }), { code: "unknown-response" });
});
