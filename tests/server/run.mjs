// node tests/server/run.mjs [port]: a model server to try things with. Asked with tools it calls the first one, once.
import { startModelServer } from "./index.mjs";

/** Whether the conversation has the result of a tool. */
const hasResult = ({ messages, input }) =>
  (messages ?? input ?? []).some?.(
    ({ role, type, content }) =>
      role === "tool" || type?.endsWith("_output") || (Array.isArray(content) && content.some((part) => part.type === "tool_result")),
  );

const otherwise = ({ body }) => {
  const [tool] = body.tools ?? [];
  if (tool === undefined || hasResult(body)) return { text: "It is 7 °C in Bodø, and it rains.", usage: { prompt: 20, completion: 12 } };
  const name = tool.function?.name ?? tool.name;
  return { text: "One moment.", toolCalls: [{ name, arguments: { city: "Bodø" } }], usage: { prompt: 10, completion: 8 } };
};

const { urlOf } = await startModelServer({ port: Number(process.argv[2] ?? 0), otherwise });
for (const api of ["openai-chat", "openai-responses", "anthropic-messages"]) console.log(api.padEnd(20), urlOf(api));
