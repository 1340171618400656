// Ids of calls that another interface would reject.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, formatToolMessages } from "respool";
import { encode } from "respool/encode";

const LONG = "c".repeat(90);
const IDS = ["functions.f:0", "functions.f:1", LONG, `${LONG}d`, "call_1"];

const answer = (ids) => ({
  choices: [{ message: { tool_calls: ids.map((id) => ({ id, function: { name: "f", arguments: '{"id":"functions.f:0"}' } })) } }],
});

describe("ids of calls from another interface", () => {
  for (const [api, form] of [
    ["anthropic-messages", /^[\w-]{1,64}$/],
    ["bedrock-converse", /^[\w-]{1,64}$/],
    ["openai-responses", /^.{1,64}$/],
  ]) {
    test(`${api} gets only those that it accepts`, () => {
      const response = decode(answer(IDS));
      const messages = formatToolMessages(
        api,
        response,
        response.toolCalls,
        IDS.map(() => "functions.f:0"),
      );
      const json = JSON.stringify(messages);
      const named = (names) => [...json.matchAll(new RegExp(`"(?:${names})":"([^"]*)"`, "g"))].map(([, id]) => id);
      const ids = named("tool_use_id|toolUseId|call_id");
      const results = ids.slice(-IDS.length);
      assert.equal(new Set(results).size, IDS.length);
      for (const id of results) assert.match(id, form);
      assert.equal(results[4], "call_1");
      if (api !== "anthropic-messages") return assert.deepEqual(new Set(ids), new Set(results));
      const { body } = encode(response, api);
      assert.deepEqual(
        messages[0].content.map(({ id }) => id),
        results,
      );
      assert.deepEqual(
        body.content.map(({ id }) => id),
        results,
        "as it is written",
      );
      assert.deepEqual(messages[0].content[0].input, { id: "functions.f:0" });
    });
  }

  test("an interface gets its own ids back unchanged", () => {
    const block = { type: "tool_use", id: "functions.f:0", name: "f", input: {} };
    const response = decode({ type: "message", content: [block], stop_reason: "tool_use" });
    const [assistant, user] = formatToolMessages("anthropic-messages", response, response.toolCalls, ["ok"]);
    assert.equal(assistant.content[0].id, "functions.f:0");
    assert.equal(user.content[0].tool_use_id, "functions.f:0");
  });
});
