// Google's SDK, which reads from our `fetch`. It has no helper that accumulates a stream: a few lines of code do that.
import { GoogleGenAI } from "@google/genai";
import { Playback } from "../response.mjs";
import { addGeminiChunk, emptyAnswer } from "./gemini.mjs";

/** @import { Contender } from "./index.mjs" */
/** @import { GeminiChunk } from "./gemini.mjs" */

const playback = new Playback();
const client = new GoogleGenAI({ apiKey: "none", httpOptions: { fetch: playback.fetch } });

/** @param {Uint8Array[]} reads */
async function run(reads) {
  playback.respondWith(reads);
  const answer = emptyAnswer();
  const stream = await client.models.generateContentStream({ model: "gemini-2.5-flash", contents: "Ferry?" });
  for await (const chunk of stream) addGeminiChunk(answer, /** @type {GeminiChunk} */ (chunk));
  return answer;
}

/** @type {Contender[]} */
export default [{ name: "@google/genai", takes: "gemini reads", over: "Response", run, outcome: (answer) => answer }];
