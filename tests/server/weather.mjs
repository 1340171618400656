// A model that is asked for the weather: it calls the first tool of the request, and then answers.

const hasResult = ({ messages, input, contents }) =>
  (messages ?? input ?? contents ?? []).some?.(
    ({ role, type, content, parts }) =>
      role === "tool" ||
      type?.endsWith("_output") ||
      parts?.some((part) => part.functionResponse) ||
      (Array.isArray(content) && content.some((part) => part.type === "tool_result" || part.toolResult)),
  );

/** Returns the model's answer to a request with this body. */
export function weatherTurn(body) {
  const [tool] = body.toolConfig?.tools ?? body.tools ?? [];
  if (tool === undefined || hasResult(body)) return { text: "It is 7 °C in Bodø.", usage: { prompt: 20, completion: 12 } };
  const name = tool.function?.name ?? tool.functionDeclarations?.[0]?.name ?? tool.toolSpec?.name ?? tool.name;
  const toolCalls = [{ name, arguments: { city: "Bodø" } }];
  return { text: "One moment. ", toolCalls, usage: { prompt: 10, completion: 8 } };
}
