// Facts beside the answer: API, model, ending, usage, timing and warnings.
import { useMemo } from "preact/hooks";

/** @import { Delta } from "respool" */
/** @import { Recording } from "../session/recording.js" */
/** @import { OpenSession } from "../session/session.js" */

const USAGE = /** @type {const} */ ([
  ["promptTokens", "prompt tokens"],
  ["completionTokens", "completion tokens"],
  ["reasoningTokens", "reasoning tokens"],
  ["cacheReadTokens", "cache read tokens"],
  ["cacheWriteTokens", "cache write tokens"],
  ["audioTokens", "audio tokens"],
  ["imageTokens", "image tokens"],
  ["totalTokens", "total tokens"],
]);

/** Deltas with output of the model. @type {Set<Delta["type"]>} */
const OUTPUT = new Set(["text", "reasoning", "refusal", "tool-call-start", "tool-call-delta"]);

/** @param {{ session: OpenSession }} props */
export function Facts({ session }) {
  const { recording, transcript } = session;
  const { usage, warnings } = transcript;
  const ending = session.isAtEnd ? recording.result.ending : "open";
  const [choice] = transcript.choices;
  return (
    <section class="facts" aria-label="Facts">
      <p class="badges">
        {recording.api ? <span class="badge api">{recording.api}</span> : <span class="badge truncated">unknown API</span>}
        {recording.result.response.model && <span class="badge">{recording.result.response.model}</span>}
        {recording.hasMessage && <span class={`badge ${ending}`}>{ending}</span>}
        <FinishReason reason={choice?.finishReason} raw={choice?.rawFinishReason} />
      </p>
      <dl class="numbers">
        {USAGE.map(([name, title]) => {
          const count = usage?.[name];
          return count === undefined ? null : <Fact key={name} title={title} value={count.toLocaleString("en")} />;
        })}
        <Fact title="bytes" value={recording.size.toLocaleString("en")} />
        <Timing recording={recording} />
      </dl>
      {warnings.length > 0 && (
        <ul class="warnings" aria-label="Warnings">
          {warnings.map(({ code, message }, index) => (
            <li key={index}>
              <code>{code}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** @param {{ reason: import("respool").FinishReason | undefined, raw: string | undefined }} props */
function FinishReason({ reason, raw }) {
  if (reason === undefined) return null;
  const name = typeof reason === "object" ? reason.unknown : reason;
  return (
    <span class="badge" title={`Finish reason from the provider: ${raw}`}>
      {name}
      {raw !== name && <span class="faint"> {raw}</span>}
    </span>
  );
}

/** @param {{ title: string, value: string }} props */
const Fact = ({ title, value }) => (
  <div>
    <dt>{title}</dt>
    <dd>{value}</dd>
  </div>
);

/** @param {{ recording: Recording }} props */
function Timing({ recording }) {
  const { frames, deltas } = recording;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the deltas grow in place, so their count tells when they changed
  const first = useMemo(() => deltas.findIndex((list) => list.some(({ type }) => OUTPUT.has(type))), [recording, deltas.length]);
  const end = frames.at(-1)?.time;
  if (!recording.isTimed || end === undefined) return null;
  const start = frames[first]?.time;
  const tokens = recording.result.usage?.completionTokens ?? 0;
  const seconds = start === undefined ? 0 : (end - start) / 1000;
  return (
    <>
      {start !== undefined && <Fact title="time to first delta" value={formatTime(start)} />}
      <Fact title="duration" value={formatTime(end)} />
      {tokens > 0 && seconds > 0 && <Fact title="tokens per second" value={(tokens / seconds).toFixed(1)} />}
    </>
  );
}

/** @param {number} milliseconds */
const formatTime = (milliseconds) =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
