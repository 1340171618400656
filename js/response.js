/** Questions about a decoded response. */

export const hasToolCalls = (response) => (response.toolCalls?.length ?? 0) > 0;

export const responseText = ({ message }) =>
  typeof message === "string" ? message : message?.find((part) => part.type === "text")?.text;

export const isComplete = (response) => response.finishReason === "complete";

/** The name of the interface that it is of. */
export const apiOf = ({ apiSpecific }) => (apiSpecific?.api === "custom" ? apiSpecific.apiName : apiSpecific?.api.replaceAll("_", "-"));
