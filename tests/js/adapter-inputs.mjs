import { streamDeltas } from "respool";
import { TEXT } from "./ai-sdk-streams.mjs";
import { CHAT_STREAM, chatBody, sseBytes, sseText } from "./answers.mjs";
import { collect, generated, readable } from "./sources.mjs";

/** An answer in every form that adapters for pages read. Its text is `TEXT`. */
export const INPUTS = {
  "deltas of streamDeltas": () => streamDeltas(CHAT_STREAM),
  "a list of deltas": async () => collect(streamDeltas(CHAT_STREAM)),
  "a stream of deltas": async () => readable(await collect(streamDeltas(CHAT_STREAM))),
  "a fetch Response": () => new Response(sseBytes(CHAT_STREAM)),
  "a promise of a Response": () => Promise.resolve(new Response(sseBytes(CHAT_STREAM))),
  "a stream of bytes": () => new Response(sseBytes(CHAT_STREAM)).body,
  "lines of text": () => sseText(CHAT_STREAM),
  chunks: () => CHAT_STREAM,
  "chunks from a generator": () => generated(CHAT_STREAM),
  "a stream of chunks": () => readable(CHAT_STREAM),
  "a complete body": () => [chatBody(TEXT)],
};
