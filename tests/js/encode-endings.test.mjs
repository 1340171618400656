// A body that reports a failure becomes an error in every other interface, and is reported as one.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode } from "respool";
import { encode, translateResponse } from "respool/encode";

const TARGETS = ["openai-chat", "openai-responses", "anthropic-messages"];
const FAILED = {
  "openai-responses": {
    id: "r",
    object: "response",
    model: "m",
    status: "failed",
    error: { code: "server_error", message: "Boom" },
    output: [],
  },
  "openai-chat": {
    id: "x",
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: "Half" }, finish_reason: "abort" }],
  },
  gemini: {
    candidates: [{ content: { parts: [{ text: "Half" }] }, finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "Boom" }],
  },
};

describe("a body that failed", () => {
  for (const [api, body] of Object.entries(FAILED)) {
    for (const to of TARGETS) {
      test(`${api} as ${to}`, async () => {
        const ends = [];
        const source = new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
        const response = await translateResponse(source, { to, onEnd: (end) => ends.push(end) });
        const text = await response.text();
        assert.equal(ends.length, 1);
        if (api === to) {
          assert.deepEqual([response.status, JSON.parse(text), ends[0].error?.name], [200, body, "ProviderError"]);
          return;
        }
        assert.equal(response.status, 502);
        const { error } = JSON.parse(text);
        assert.equal(typeof error.message, "string");
        assert.equal(ends[0].error.name, "ProviderError");
        assert.equal(ends[0].error.message, error.message);
        assert.equal(ends[0].response.api, api);
        const encoded = encode(decode(body), to);
        assert.deepEqual(encoded, { body: JSON.parse(text), lost: [] });
      });
    }
  }
});
