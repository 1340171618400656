// The methods of SDKs as transports: their parameters have types of their own, and their first overload doesn't stream.
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { runRequest } from "respool";

const openai = new OpenAI();
runRequest({ transport: (payload, { signal }) => openai.chat.completions.create(payload, { signal }), messages: [] });
runRequest({ transport: (payload, { signal }) => openai.responses.create(payload, { signal }), messages: [] });
const anthropic = new Anthropic();
runRequest({ transport: (payload, { signal }) => anthropic.messages.create(payload, { signal }), messages: [] });
runRequest({ transport: (payload, { signal }) => anthropic.messages.stream(payload, { signal }), messages: [] });
