// Errors have a type and a code, and every copy of the package recognises them.
import { CHUNKS, NO_RESPONSE, RESPONSES } from "../bodies.mjs";
import { equal, ok, thrownBy } from "../expect.mjs";

async function drain(items) {
  for await (const item of items) ok(item, "an item");
}

export default {
  async "a body that is none"(respool) {
    const error = await thrownBy(() => respool.process({}, NO_RESPONSE), "an unknown response");
    ok(error instanceof respool.DecodeError, `a DecodeError, not ${error}`);
    ok(error instanceof respool.RespoolError && error instanceof Error, "a RespoolError and an Error");
    equal([error.name, error.code], ["DecodeError", "unknown-response"], "name and code");
    ok(respool.RespoolError.isInstance(error), "isInstance to know it");
    ok(!respool.RespoolError.isInstance(new Error("other")), "isInstance to know no other");
    for (const junk of [null, undefined, 5, "{", [], {}, Symbol("s"), () => {}, 5n]) {
      const other = await thrownBy(() => respool.process({}, junk), String(junk));
      ok(respool.RespoolError.isInstance(other), `a RespoolError for ${String(junk)}, not ${other}`);
    }
    equal(respool.process({}, RESPONSES), "High water at noon.", "afterwards");
  },

  async "an error of the provider"({ process, ProviderError }) {
    const body = { error: { message: "Slow down", type: "rate_limit_error", code: 429 } };
    const error = await thrownBy(() => process({}, body), "an error body");
    ok(error instanceof ProviderError, `a ProviderError, not ${error}`);
    equal([error.code, error.providerType, error.providerCode], ["provider-error", "rate_limit_error", "429"], "codes");
  },

  async "a refusal"({ processStream, RefusalError }) {
    const refusal = [{ choices: [{ index: 0, delta: { refusal: "I can't." } }] }];
    const error = await thrownBy(() => drain(processStream({}, refusal)), "a refusal");
    ok(RefusalError.isInstance(error), `a RefusalError, not ${error}`);
    equal([error.code, error.refusal], ["refusal", "I can't."], "code and text");
  },

  async "a transport that breaks"({ streamDeltas, StreamError }) {
    const cause = new Error("connection reset");
    async function* broken() {
      yield CHUNKS[1];
      throw cause;
    }
    const error = await thrownBy(() => drain(streamDeltas(broken())), "a broken stream");
    ok(StreamError.isInstance(error), `a StreamError, not ${error}`);
    equal([error.code, error.outcome, error.partial.text], ["stream-broken", "indeterminate", "Tromsø"], "what is known");
    ok(error.cause === cause, "the cause");
  },

  async "the end in the middle of a call"({ processStream }) {
    const error = await thrownBy(() => drain(processStream({}, CHUNKS.slice(0, 6))), "a truncated stream");
    equal([error.name, error.code], ["StreamError", "stream-truncated"], "name and code");
  },

  async "a page in place of an answer"({ streamDeltas }) {
    const page = new Response("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } });
    const error = await thrownBy(() => drain(streamDeltas(page)), "an error page");
    equal([error.name, error.code], ["ProviderError", "http-error"], "name and code");
  },

  async limits({ StreamAccumulator, decode, LimitError }) {
    const accumulator = new StreamAccumulator({ limits: { maxTotalBytes: 100 } });
    accumulator.pushBytes(new Uint8Array(200).fill(32));
    const { ending, error } = accumulator.finish();
    equal([ending, error.code], ["failed", "limit-exceeded"], "a stream");
    accumulator.free();
    const deep = `{"choices":[{"message":{"content":""},"x":${"[".repeat(600)}${"]".repeat(600)}}]}`;
    const thrown = await thrownBy(() => decode(deep), "a deep body");
    ok(LimitError.isInstance(thrown), `a LimitError, not ${thrown}`);
  },

  async "options that there are not"({ StreamAccumulator, RespoolError }) {
    const error = await thrownBy(() => new StreamAccumulator({ colaesce: false }), "a misspelt option");
    ok(RespoolError.isInstance(error) && error.message.includes("colaesce"), `an error that names it, not ${error}`);
    equal(error.code, "invalid-option", "code");
  },

  async "objects that throw when they are read"({ decode, process }) {
    const trap = {
      choices: [{ message: { content: "Hi" } }],
      get tide_table() {
        throw new Error("a getter");
      },
    };
    const error = await thrownBy(() => decode(trap), "a getter that throws");
    equal([error.name, error.code], ["DecodeError", "invalid-json"], "name and code");
    equal(process({}, RESPONSES), "High water at noon.", "afterwards");
  },
};
