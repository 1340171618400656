// The adapters of the table in docs/quirks.md, in its order.
import ai from "./ai.mjs";
import langchain from "./langchain.mjs";
import llmStreamAssemble from "./llm-stream-assemble.mjs";
import openai from "./openai.mjs";
import respool from "./respool.mjs";

export const ADAPTERS = [respool, openai, ai, langchain, llmStreamAssemble];
