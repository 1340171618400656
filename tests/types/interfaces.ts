// The names of interfaces: those that respool knows, and those of codecs that are declared.
import { expectTypeOf } from "expect-type";
import { type ApiName, collect, detectApi, fetchTransport, ResponseConverter, runRequest, StreamAccumulator } from "respool";

declare module "respool" {
  interface RegisteredCodecs {
    parrot: true;
  }
}

new StreamAccumulator({ api: "openai-chat" });
new StreamAccumulator({ api: "auto" });
new StreamAccumulator({ api: "parrot" });
fetchTransport({ url: "x", api: "parrot" });
fetchTransport({ url: "x", api: "gemini" });
new ResponseConverter("gemini");
new ResponseConverter("gemini-interactions");
new ResponseConverter("litellm");
expectTypeOf<"parrot">().toExtend<ApiName>();
expectTypeOf(detectApi).returns.toEqualTypeOf<ApiName | undefined>();
const detected = detectApi({});
new StreamAccumulator({ ...(detected && { api: detected }) });

// @ts-expect-error: not the name of an interface
new StreamAccumulator({ api: "openai" });
// @ts-expect-error: not the name of an interface
collect([], { api: "anthropic" });
// @ts-expect-error: not the name of an interface
fetchTransport({ url: "x", api: "openai" });
// @ts-expect-error: not the name of an interface
runRequest({ transport: () => [], messages: [], api: "openai" });
// @ts-expect-error: not the name of an interface
new ResponseConverter("openai");
