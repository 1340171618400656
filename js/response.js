/** Questions about a decoded response. */

import { checked } from "./checked.js";

export const hasToolCalls = checked((response) => (response.toolCalls?.length ?? 0) > 0, "the response");

export const responseText = checked(
  ({ message }) => (typeof message === "string" ? message : message?.find((part) => part.type === "text")?.text),
  "the response",
);

export const isComplete = checked((response) => response.finishReason === "complete", "the response");

/** The name of the interface that it is of. */
export const apiOf = ({ apiSpecific }) =>
  apiSpecific?.api === "custom" ? apiSpecific.apiName : apiSpecific?.api.replaceAll("_", "-");
