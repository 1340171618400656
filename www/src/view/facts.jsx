// What is known beside the answer: interface, model, ending, usage, times, warnings.
import { useMemo } from "preact/hooks";

const USAGE = [
  ["promptTokens", "prompt"],
  ["completionTokens", "completion"],
  ["reasoningTokens", "reasoning"],
  ["cacheReadTokens", "from cache"],
  ["cacheWriteTokens", "to cache"],
  ["audioTokens", "audio"],
  ["imageTokens", "image"],
  ["totalTokens", "total"],
];

const SAYS_SOMETHING = new Set(["text", "reasoning", "refusal", "tool-call-start", "tool-call-delta"]);

export function Facts({ session }) {
  const { recording, transcript } = session;
  const { usage, warnings } = transcript;
  const { ending } = session.isAtEnd ? recording.result : { ending: "open" };
  const [choice] = transcript.choices;
  const reason = choice?.finishReason?.unknown ?? choice?.finishReason;
  const counts = USAGE.filter(([name]) => usage?.[name] !== undefined);
  return (
    <section class="facts" aria-label="Facts">
      <p class="badges">
        {recording.api ? <span class="badge api">{recording.api}</span> : <span class="badge truncated">interface unknown</span>}
        {recording.result.response.model && <span class="badge">{recording.result.response.model}</span>}
        {!recording.isWithoutMessage && <span class={`badge ${ending}`}>{ending}</span>}
        {reason && (
          <span class="badge" title={`The provider’s word: ${choice.rawFinishReason}`}>
            {reason}
            {choice.rawFinishReason !== reason && <span class="faint"> {choice.rawFinishReason}</span>}
          </span>
        )}
      </p>
      <dl class="numbers">
        {counts.map(([name, word]) => (
          <Number key={name} name={`${word} tokens`} value={usage[name].toLocaleString("en")} />
        ))}
        <Number name="bytes" value={recording.size.toLocaleString("en")} />
        <Times recording={recording} />
      </dl>
      {warnings.length > 0 && (
        <ul class="warnings" aria-label="Warnings">
          {warnings.map(({ code, message }, at) => (
            <li key={at}>
              <code>{code}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const Number = ({ name, value }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function Times({ recording }) {
  const { frames, deltas } = recording;
  const count = frames.length;
  const first = useMemo(
    () => deltas.findIndex((list) => list.some(({ type }) => SAYS_SOMETHING.has(type))),
    [recording, count > 0 && deltas.length],
  );
  if (!recording.isTimed) return null;
  const last = frames.at(-1)?.time;
  const firstTime = frames[first]?.time;
  const output = recording.result.usage?.completionTokens;
  const seconds = (last - firstTime) / 1000;
  return (
    <>
      {firstTime !== undefined && <Number name="to first delta" value={inSeconds(firstTime)} />}
      {last !== undefined && <Number name="duration" value={inSeconds(last)} />}
      {output > 0 && seconds > 0 && <Number name="tokens a second" value={(output / seconds).toFixed(1)} />}
    </>
  );
}

const inSeconds = (time) => (time < 1000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(2)} s`);
