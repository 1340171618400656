/** The UI message stream of the AI SDK: https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol */

import { checked } from "../checked.js";
import { UIMessageChunks } from "./chunks.js";
import { deltasOf } from "./deltas.js";

/** What an error says may be nobody's business but the server's. */
const anyError = () => "An error occurred.";

const usageOnly = ({ usage }) => (usage === undefined ? undefined : { usage });

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  "x-vercel-ai-ui-message-stream": "v1",
  "x-accel-buffering": "no",
};

const copyOptions = checked((options) => ({ ...options }), "the options");

export function toUIMessageStream(input, options) {
  const {
    messageId,
    messageMetadata = usageOnly,
    onError = anyError,
    sendReasoning,
    sendSources,
    signal,
    ...sourceOptions
  } = copyOptions(options);
  const leaving = new AbortController();
  const leave = () => leaving.abort(signal.reason);
  if (signal?.aborted) leave();
  signal?.addEventListener("abort", leave, { once: true, signal: leaving.signal });
  const chunks = new UIMessageChunks({ messageId, messageMetadata, onError, sendReasoning, sendSources });
  const deltas = deltasOf(input, { ...sourceOptions, signal: leaving.signal });
  const all = chunksOf(chunks, deltas, leaving);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await all.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        leaving.abort(reason);
        await all.return();
        // Where nothing was read yet, this closes the source.
        await deltas.next().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

async function* chunksOf(chunks, deltas, leaving) {
  yield chunks.start();
  try {
    for await (const delta of deltas) yield* chunks.take(delta);
    yield* chunks.finish();
  } catch (error) {
    if (leaving.signal.aborted || error?.name === "AbortError") yield* chunks.abort();
    else yield* [...chunks.fail(error), ...chunks.finish()];
  } finally {
    leaving.abort(); // nobody listens to the caller's signal any more
  }
}

export function toUIMessageStreamResponse(input, given) {
  const { status, statusText, headers, ...options } = copyOptions(given);
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(HEADERS)) if (!all.has(name)) all.set(name, value);
  const { onError = anyError } = options;
  const encoder = new TextEncoder();
  const event = (data) => encoder.encode(`data: ${data}\n\n`);
  const events = new TransformStream({
    transform: (chunk, controller) => controller.enqueue(event(jsonOf(chunk, onError))),
    flush: (controller) => controller.enqueue(event("[DONE]")),
  });
  return new Response(toUIMessageStream(input, options).pipeThrough(events), { status, statusText, headers: all });
}

/** Arguments may be nested more deeply than an engine writes them. */
function jsonOf(chunk, onError) {
  try {
    return JSON.stringify(chunk);
  } catch (error) {
    return JSON.stringify({ type: "error", errorText: onError(error) });
  }
}
