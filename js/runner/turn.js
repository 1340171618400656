/** One turn: the model is asked, and its answer read. */

import { orAbort } from "../abort.js";
import { messageOf } from "../errors.js";
import { createError } from "../host.js";
import { readDeltas } from "../streams.js";
import { traceItems } from "../tracing/stream.js";
import { Watch, linkedTo } from "./clock.js";
import { mayHelp } from "./fetch_transport.js";
import { isFreeForm } from "./messages/response.js";
import { payloadOf, streamOptions } from "./run_options.js";

/** What a stream is aborted with because nothing comes. */
const STALLED = Symbol("stalled");

const LOOP = "repeated-line-loop";
const REJECTED = "rejected-tool-call";

/**
 * Asks the model once. `onRead` is called after each read, `onDelta` for each delta; what that throws is thrown. `span` is
 * the one around it. Gives the event for the machine, the answer, and what was thrown or reported by others.
 */
export async function askModel(options, messages, signal, { onRead, onDelta, span }) {
  const { controller, unlink, ...turn } = linkedTo(signal);
  const watch = new Watch(options.clock, options.stallTimeoutMs, () => controller.abort(STALLED));
  const state = {
    onRead() {
      watch.restart();
      onRead();
    },
  };
  const context = { signal: turn.signal, onWait: (ms) => watch.restart(ms) };
  const payload = payloadOf(options, messages);
  const ask = async () => options.transport(payload, context);
  const seen = {};
  watch.restart();
  const deltas = readDeltas(ask(), { ...streamOptions(options), signal: turn.signal }, state);
  try {
    for await (const delta of traceItems(deltas, "respool.runRequest: stream", { payload }, () => state.result, span)) {
      if (delta.code === LOOP) seen.loop = delta.message;
      if (delta.code === REJECTED) seen.rejected ??= delta.message;
      try {
        const told = onDelta(delta);
        if (typeof told?.then === "function") {
          watch.stop();
          await orAbort(told, turn.signal);
          watch.restart();
        }
      } catch (error) {
        seen.broke = { error };
      }
      if (seen.broke || seen.loop !== undefined) {
        controller.abort(); // so that nobody waits for the source to close
        break;
      }
    }
  } catch (error) {
    seen.thrown = { error };
  } finally {
    watch.stop();
    unlink();
  }
  if (seen.broke || !state.result) throw (seen.broke ?? seen.thrown).error;
  const isStalled = turn.signal.reason === STALLED;
  const { text, toolCalls, finishReason, usage, response } = state.result;
  const calls = toolCalls.map((call) => ({ ...call, isFreeForm: isFreeForm(response, call.id) }));
  const { cause, ...end } = isStalled ? stalled(options) : endOf(state, seen);
  return { event: { type: "turn-ended", text, calls, finishReason, usage, ...end }, response, cause };
}

const stalled = ({ stallTimeoutMs }) => ({ end: "stalled", message: `nothing came from the model for ${stallTimeoutMs} ms` });

/** How the answer ended, in the words of the machine: see src/runner/event.rs. */
function endOf({ result, source }, { loop, thrown, rejected }) {
  if (loop !== undefined) return { end: "looped", message: loop };
  if (thrown) {
    const { error } = thrown;
    return { end: isTransient(error) ? "broke-off" : "impossible", message: messageOf(error), cause: error };
  }
  if (result.error) {
    const { code, message, providerType, providerCode } = result.error;
    const mayPass = code === "provider-error" && (source?.ok !== false || mayHelp(source.status));
    const cause = createError(code, message, providerType, providerCode);
    return { end: mayPass ? "broke-off" : "impossible", message, cause };
  }
  if (result.refusal || result.rawFinishReason === "refusal") {
    return { end: "refused", message: `Model refused: ${result.refusal || result.text}` };
  }
  if (result.ending === "truncated") return { end: "broke-off", message: "the stream ended before the answer did" };
  return rejected === undefined ? { end: "answered" } : { end: "rejected", message: rejected };
}

/** Whether to ask again may help after this error: where HTTP says why, that decides. */
function isTransient(error) {
  const status = error?.status ?? error?.cause?.status;
  return typeof status === "number" ? mayHelp(status) : error?.code === "stream-broken";
}
