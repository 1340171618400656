// A model that is asked for the weather: it calls the first tool that it is offered, and answers with what that gives.

const hasResult = ({ messages, input }) =>
  (messages ?? input ?? []).some?.(
    ({ role, type, content }) =>
      role === "tool" ||
      type?.endsWith("_output") ||
      (Array.isArray(content) && content.some((part) => part.type === "tool_result")),
  );

/** What it answers to a request with this body. */
export function weatherTurn(body) {
  const [tool] = body.tools ?? [];
  if (tool === undefined || hasResult(body)) return { text: "It is 7 °C in Bodø.", usage: { prompt: 20, completion: 12 } };
  const toolCalls = [{ name: tool.function?.name ?? tool.name, arguments: { city: "Bodø" } }];
  return { text: "One moment. ", toolCalls, usage: { prompt: 10, completion: 8 } };
}
