// A stream that was read is no longer locked, whichever function read it, and however that ended.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { streamDeltas, tap } from "respool";
import { toAgUiResponse } from "respool/ag-ui";
import { toUIMessageStreamResponse } from "respool/ai-sdk";
import { translateStream } from "respool/encode";
import { CHAT_STREAM, sseBytes } from "./answers.mjs";
import { collectUntilThrown, readable } from "./sources.mjs";

describe("a stream isn't locked once it was read, broken or left, whatever reads it", () => {
  const IDS = { threadId: "t", runId: "r" };
  const READERS = {
    streamDeltas: (stream) => streamDeltas(stream, { throwOnError: false }),
    toUIMessageStreamResponse: (stream) => toUIMessageStreamResponse(stream).body,
    toAgUiResponse: (stream) => toAgUiResponse(stream, IDS).body,
    translateStream: (stream) => translateStream(stream, { to: "openai-chat" }).stream,
    tap(stream) {
      const { response, result } = tap(new Response(stream));
      result.catch(() => {});
      return response.body;
    },
  };
  const PIECES = sseBytes(CHAT_STREAM.slice(0, -1)); // so that an error of the source matters
  for (const [name, open] of Object.entries(READERS)) {
    for (const end of ["close", new Error("reset"), "left"]) {
      test(`${name}, ${end}`, async () => {
        const stream = readable([PIECES.slice(0, 200), PIECES.slice(200)], [], end);
        const items = open(stream);
        if (end === "left") for await (const _ of items) break;
        else await collectUntilThrown(items);
        await new Promise((resolve) => setImmediate(resolve));
        assert.equal(stream.locked, false);
      });
    }
  }
});
