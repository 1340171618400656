// A gateway: the interfaces of OpenAI and Anthropic in front of one model server, which needs to speak only one of them.
import { translateResponse, translateStream } from "respool/encode";
import { isSlow, withHeartbeats } from "./heartbeats.js";
import { RequestError, translateRequest } from "./requests.js";
import { askModel } from "./upstream.js";

const ROUTES = {
  "/v1/chat/completions": "openai-chat",
  "/v1/responses": "openai-responses",
  "/v1/messages": "anthropic-messages",
};

export default {
  async fetch(request, env, context) {
    const to = ROUTES[new URL(request.url).pathname];
    if (to === undefined || request.method !== "POST") return new Response("Not found", { status: 404 });
    if (!isAllowed(request, env)) return refuse(to, 401, "The key is not valid", "authentication_error");
    let asked;
    try {
      asked = translateRequest(await request.json(), { from: to, to: env.MODEL_API });
    } catch (error) {
      if (!(error instanceof RequestError || error instanceof SyntaxError)) throw error;
      return refuse(to, 400, error.message, "invalid_request_error");
    }

    const { includeUsage, model } = asked;
    const { signal } = request;
    let onEnd;
    const ended = new Promise((resolve) => {
      onEnd = resolve;
    });
    // Call waitUntil now: after the client disconnects, it would be too late.
    context.waitUntil(ended.then((end) => record({ to, signal, ...asked }, end)));
    const beta = to === env.MODEL_API && request.headers.get("anthropic-beta");
    const answer = askModel(env, asked.request, { beta, signal });
    const options = { to, includeUsage, model, signal };
    const milliseconds = Number(env.HEARTBEAT_MS ?? 15_000);
    if (asked.request.stream && ((await isSlow(answer, milliseconds)) || (await isBody(answer)))) {
      // Many model servers send their status with the first token. Don't wait for it: an error becomes an event.
      // Others have no streams, but the client reads one.
      const { stream, result, lost } = translateStream(answer, options);
      const end = (error) => onEnd({ response: error.partial?.response, result: error.partial, error, lost });
      result.then((whole) => onEnd({ response: whole.response, result: whole, lost }), end);
      const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
      return new Response(withHeartbeats(stream, to, milliseconds, true), { headers });
    }
    const response = await translateResponse(answer, { ...options, onEnd });
    const isStream = response.headers.get("content-type").startsWith("text/event-stream");
    return isStream ? new Response(withHeartbeats(response.body, to, milliseconds), response) : response;
  },
};

/** Whether the client has the key, which Anthropic's clients send in another header. */
function isAllowed({ headers }, { GATEWAY_KEY }) {
  const key = headers.get("x-api-key") ?? headers.get("authorization")?.replace(/^Bearer /i, "");
  return Boolean(GATEWAY_KEY) && key === GATEWAY_KEY; // without a key, the gateway rejects every client
}

/** Whether an answer is complete, and no stream. */
const isBody = (answer) =>
  answer.then(
    ({ ok, headers }) => ok && /^application\/json\b/.test(headers.get("content-type")),
    () => false,
  );

/** Returns an error of the gateway itself, in the client's interface. */
function refuse(to, status, message, type) {
  return translateResponse(Response.json({ error: { message, type } }, { status }), { to });
}

/** Logs one line per request to the model: its usage, and the content that the client couldn't receive. */
function record({ to, signal, model, ignored }, { response, result, error, lost }) {
  console.log(
    JSON.stringify({
      to,
      model,
      ending: signal.aborted ? "aborted" : (result?.ending ?? (error ? "failed" : "complete")),
      inputTokens: response?.usage?.inputTokens,
      outputTokens: response?.usage?.outputTokens,
      error: error?.message,
      ignored,
      lost: lost.map(({ code }) => code),
    }),
  );
}
