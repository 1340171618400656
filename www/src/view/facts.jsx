// Facts at the replay position: interface, model, ending, usage, bytes and rates.
import { useMemo } from "preact/hooks";
import { isOutput } from "../diagnosis/findings.js";
import { formatTime } from "../diagnosis/piece.js";

/** @import { FinishReason } from "respool" */
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

/** @param {{ session: OpenSession }} props */
export function Facts({ session }) {
  const { recording, transcript, position } = session;
  const { usage } = transcript;
  const ending = session.isAtEnd ? recording.result.ending : "open";
  const [choice] = transcript.choices;
  const status = recording.exchange?.response?.status;
  return (
    <section class="facts" aria-label="Facts">
      <p class="badges">
        {recording.api ? <span class="badge api">{recording.api}</span> : <span class="badge truncated">unknown API</span>}
        {recording.result.response.model && <span class="badge">{recording.result.response.model}</span>}
        {status !== undefined && (
          <span class={`badge ${status >= 400 || status === 0 ? "failed" : ""}`}>HTTP {status || "–"}</span>
        )}
        {recording.hasMessage && <span class={`badge ${ending}`}>{ending}</span>}
        <Finish reason={choice?.finishReason} raw={choice?.rawFinishReason} />
      </p>
      <dl class="numbers">
        <Fact title="bytes" value={(position === 0 ? 0 : recording.frames[position - 1].end).toLocaleString("en")} />
        <Timing session={session} />
        {USAGE.map(([name, title]) => {
          const count = usage?.[name];
          return count === undefined ? null : <Fact key={name} title={title} value={count.toLocaleString("en")} />;
        })}
      </dl>
    </section>
  );
}

/** @param {{ reason: FinishReason | undefined, raw: string | undefined }} props */
function Finish({ reason, raw }) {
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

/** @param {{ session: OpenSession }} props */
function Timing({ session }) {
  const { recording, transcript, position } = session;
  const { frames, deltas } = recording;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the deltas grow in place, so their count tells when they changed
  const first = useMemo(() => deltas.findIndex((list) => list.some(isOutput)), [recording, deltas.length]);
  const now = frames[position - 1]?.time;
  if (!recording.isTimed || now === undefined) return null;
  const start = first >= 0 && first < position ? frames[first].time : undefined;
  const seconds = start === undefined ? 0 : (now - start) / 1000;
  const tokens = transcript.usage?.completionTokens ?? 0;
  return (
    <>
      {start !== undefined && <Fact title="time to first delta" value={formatTime(start)} />}
      <Fact title="duration" value={formatTime(now)} />
      {seconds > 0 && tokens > 0 && <Fact title="tokens per second" value={(tokens / seconds).toFixed(1)} />}
      {seconds > 0 && tokens === 0 && <Fact title="characters per second" value={(transcript.characters / seconds).toFixed(0)} />}
    </>
  );
}
