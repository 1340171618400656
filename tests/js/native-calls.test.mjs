// parseToolArguments reads calls in the forms of the interfaces, and rejects anything else.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseToolArguments } from "respool";

describe("calls as providers send them", () => {
  const FORMS = {
    chat: { id: "call_1", type: "function", function: { name: "tide", arguments: '{"port":"Bodø"}' } },
    anthropic: { type: "tool_use", id: "call_1", name: "tide", input: { port: "Bodø" } },
    responses: { type: "function_call", id: "fc_1", call_id: "call_1", name: "tide", arguments: '{"port":"Bodø"}' },
  };
  for (const [name, form] of Object.entries(FORMS)) {
    test(name, () => {
      const action = { toolCallId: "call_1", toolName: "tide", arguments: { port: "Bodø" } };
      assert.deepEqual(parseToolArguments([form]), [action]);
      assert.deepEqual(parseToolArguments([form], { repair: true }), [{ ...action, repair: "direct", status: "complete" }]);
    });
  }

  test("a call without arguments", () => {
    for (const form of [
      { id: "call_0", name: "tide" },
      { name: "tide" },
      { id: "call_0", type: "function", function: { name: "tide" } },
      { toolUse: { toolUseId: "call_0", name: "tide" } },
      { type: "tool_use", id: "call_0", name: "tide", caller: { type: "direct" } },
      { type: "function_call", id: "fc_0", call_id: "call_0", name: "tide", status: "completed" },
      { type: "function_call", id: "call_0", name: "tide" },
      { call_id: "call_0", name: "tide" },
    ])
      assert.deepEqual(parseToolArguments([form]), [{ toolCallId: "call_0", toolName: "tide", arguments: {} }]);
  });

  test("anything else is an error, and never {}", () => {
    const { name: _, ...nameless } = FORMS.anthropic;
    const others = [
      {},
      nameless,
      { name: "tide", description: "The tide at a port." },
      { type: "function", name: "tide", parameters: { type: "object" } },
      { type: "function", function: { name: "tide" } },
      { type: "function", name: "tide" },
      { type: "custom", name: "tide" },
      { id: "a", function: {} },
      { id: "a", name: 5, arguments: "{}" },
      [],
    ];
    for (const other of others) {
      for (const repair of [false, true]) {
        assert.throws(() => parseToolArguments([FORMS.chat, other], { repair }), {
          name: "OutputParseError",
          code: "not-a-tool-call",
          message: /^toolCalls\[1\] isn't a tool call: expected \{ id, name, arguments \}, chat's /,
        });
      }
    }
    assert.throws(() => parseToolArguments([nameless]), { message: /got type, id, input$/ });
    assert.throws(() => parseToolArguments([{ ...FORMS.anthropic, input: [1] }]), { code: "not-an-object" });
  });
});
