// The model server, which uses chat completions or Anthropic Messages.

const HEADERS = {
  "openai-chat": (key) => ({ authorization: `Bearer ${key}` }),
  "anthropic-messages": (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
};

/** OpenAI's reasoning models reject `max_tokens`, and other servers may not know its newer name. */
const OF_OPENAI = /(^|\.)openai\.(com|azure\.com)$/;

/** Returns the request with the name of the limit that the server knows. */
function withLimit({ max_tokens: limit, ...request }, url) {
  if (limit === undefined) return request;
  return { ...request, [OF_OPENAI.test(new URL(url).hostname) ? "max_completion_tokens" : "max_tokens"]: limit };
}

/**
 * Asks the model. When the client disconnects, the signal closes the connection to the model server. `beta` are the
 * features that the client turned on in a header of Anthropic's.
 *
 * env: MODEL_API (the interface), MODEL_URL (the full URL), MODEL_KEY, MODEL (the model's name)
 */
export function askModel({ MODEL_API, MODEL_URL, MODEL_KEY, MODEL }, request, { beta, signal }) {
  const usage = MODEL_API === "openai-chat" && request.stream && { ...request.stream_options, include_usage: true };
  return fetch(MODEL_URL, {
    method: "POST",
    headers: { "content-type": "application/json", ...HEADERS[MODEL_API](MODEL_KEY), ...(beta && { "anthropic-beta": beta }) },
    body: JSON.stringify({ ...withLimit(request, MODEL_URL), model: MODEL, ...(usage && { stream_options: usage }) }),
    // Another server must not get the key and the conversation. The client gets an error with status 502.
    redirect: "manual",
    signal,
  });
}
