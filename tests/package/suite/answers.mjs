// Complete answers of every interface, in every form in which a program may have a body.
import { ANTHROPIC, CHAT, EMBEDDING_BASE64, EMBEDDINGS, GEMINI, IMAGES, NO_RESPONSE, RESPONSES } from "../bodies.mjs";
import { equal, ok } from "../expect.mjs";

const CALLS = [{ id: "call_1", name: "tide", arguments: CHAT.choices[0].message.tool_calls[0].function.arguments }];

export default {
  "a body as object, text and bytes"({ process }) {
    const text = JSON.stringify(CHAT);
    const bytes = new TextEncoder().encode(text);
    const inside = new Uint8Array(bytes.length + 9);
    inside.set(bytes, 5);
    equal(process({}, CHAT), CALLS, "object");
    equal(process({}, text), CALLS, "text");
    equal(process({}, bytes), CALLS, "Uint8Array");
    equal(process({}, bytes.buffer), CALLS, "ArrayBuffer");
    equal(process({}, inside.subarray(5, 5 + bytes.length)), CALLS, "a part of a buffer");
    equal(process({}, new DataView(inside.buffer, 5, bytes.length)), CALLS, "DataView");
  },

  "the other interfaces"({ process }) {
    equal(process({}, RESPONSES), "High water at noon.", "Responses");
    equal(process({}, ANTHROPIC), [{ id: "toolu_1", name: "tide", arguments: '{"port":"Skjervøy"}' }], "Anthropic");
    equal(process({}, GEMINI), [{ id: "fc_1", name: "tide", arguments: '{"port":"Skjervøy"}' }], "Gemini");
    equal(process({}, IMAGES), ["ZWJi", "https://img.example/2.png"], "images");
  },

  "vectors, as numbers and as base64"({ process }) {
    equal(process({}, EMBEDDING_BASE64), [0.5, -2, 3], "base64");
    equal(
      process({}, EMBEDDINGS),
      [
        [0.5, -2],
        [0.25, 1e-3],
      ],
      "numbers",
    );
    const [first, second] = process({}, JSON.stringify(EMBEDDINGS), { vectors: "float32" });
    ok(first instanceof Float32Array && second instanceof Float32Array, "Float32Arrays");
    equal([...first, second[0]], [0.5, -2, 0.25], "numbers in a Float32Array");
    const wide = process({}, EMBEDDING_BASE64, { vectors: "float64" });
    ok(wide instanceof Float64Array && wide.length === 3, "a Float64Array");
  },

  "decode gives every interface one form"({ decode }) {
    const chat = decode(CHAT);
    equal([chat.id, chat.model, chat.finishReason], ["chatcmpl-1", "gpt-4.1-mini", "tool_use"], "chat");
    equal([chat.usage.promptTokens, chat.usage.totalTokens], [9, 21], "usage");
    equal(chat.apiSpecific.api, "openai_chat", "the interface");
    equal(chat.extra.tide_table, "2026", "what has no field");
    const responses = decode(JSON.stringify(RESPONSES));
    equal(
      [responses.message, responses.finishReason, responses.usage.totalTokens],
      ["High water at noon.", "complete", 14],
      "Responses",
    );
    const anthropic = decode(new TextEncoder().encode(JSON.stringify(ANTHROPIC)));
    equal(anthropic.message, "I look it up.", "Anthropic");
    const { usage, toolCalls } = decode(GEMINI);
    equal([usage.outputTokens, toolCalls[0].signature], [12, "c2lnbmVk"], "Gemini");
    equal(
      anthropic.toolCalls.map(({ name, arguments: given }) => ({ name, given })),
      [{ name: "tide", given: { port: "Skjervøy" } }],
      "calls",
    );
  },

  "questions to an answer"({ decode, hasToolCalls, isComplete, responseText }) {
    const [calls, text] = [decode(ANTHROPIC), decode(RESPONSES)];
    equal([hasToolCalls(calls), hasToolCalls(text)], [true, false], "hasToolCalls");
    equal([isComplete(calls), isComplete(text)], [false, true], "isComplete");
    equal(responseText(text), "High water at noon.", "responseText");
  },

  "the interface of a body"({ detectApi }) {
    equal(
      [CHAT, RESPONSES, ANTHROPIC, GEMINI, EMBEDDINGS, IMAGES].map((body) => detectApi(body)),
      ["openai-chat", "openai-responses", "anthropic-messages", "gemini", "openai-embeddings", "openai-images"],
      "detectApi",
    );
    ok(detectApi(NO_RESPONSE) === undefined, "undefined for what is no response");
  },

  "an interface of one's own"({ decode, detectApi, registerCodec, StreamAccumulator }) {
    const unregister = registerCodec({
      name: "parrot",
      detect: (value) => typeof value === "object" && value !== null && "squawk" in value,
      decode: ({ squawk }) => [
        { type: "text", text: squawk },
        { type: "finish", finishReason: "complete" },
      ],
    });
    try {
      equal([detectApi({ squawk: "Hi" }), decode({ squawk: "Hi" }).message], ["parrot", "Hi"], "a body");
      const accumulator = new StreamAccumulator();
      equal(accumulator.push({ squawk: "Hø" })[0], { type: "text", text: "Hø" }, "an event");
      equal(accumulator.finish().ending, "complete", "ending");
      accumulator.free();
    } finally {
      unregister();
    }
    ok(detectApi({ squawk: "Hi" }) === undefined, "undefined once it is unregistered");
  },

  "text that is more than ASCII, in each of the widths"({ process }) {
    for (const text of ["ASCII", "Skjervøy, naïve", "→ 北京 Пётр", "⛴️ 👩‍🚀 𝕊", "\0\u2028\u2029\ufeff"]) {
      const body = { choices: [{ message: { content: text } }] };
      ok(process({}, body) === text, `${JSON.stringify(text)} of an object`);
      ok(process({}, JSON.stringify(body)) === text, `${JSON.stringify(text)} of a text`);
    }
  },
};
