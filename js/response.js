/** Questions about a decoded response. */

export const hasToolCalls = (response) => (response.toolCalls?.length ?? 0) > 0;

export const responseText = ({ message }) =>
  typeof message === "string" ? message : message?.find((part) => part.type === "text")?.text;

export const isComplete = (response) => response.finishReason === "complete";
