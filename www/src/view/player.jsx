// Replays a recording at its original speed, faster, slower or step by step.
import { Icon } from "./icon.jsx";

/** @import { OpenSession } from "../session/session.js" */
/** @import { IconName } from "./icon.jsx" */

const SPEEDS = [0.25, 0.5, 1, 2, 5, 20, 100];

/** @param {{ session: OpenSession }} props */
export function Player({ session }) {
  const { position, length, isPlaying, speed, isLive, recording } = session;
  const time = recording.frames[position - 1]?.time;
  return (
    <section class="player" aria-label="Replay">
      <Button icon="start" title="To the start" onClick={() => session.scrub(0)} disabled={position === 0} />
      <Button icon="back" title="Previous event" onClick={() => session.step(-1)} disabled={position === 0} />
      <button
        type="button"
        class="primary round"
        onClick={() => (isPlaying ? session.pause() : session.play())}
        aria-label={isPlaying ? "Pause" : "Play"}
        title={isPlaying ? "Pause" : "Play"}
        disabled={isLive}
      >
        <Icon name={isPlaying ? "pause" : "play"} />
      </button>
      <Button icon="forward" title="Next event" onClick={() => session.step(1)} disabled={position >= length} />
      <Button icon="end" title="To the end" onClick={() => session.scrub(length)} disabled={position >= length} />
      <label class="position">
        <span class="visually-hidden">Position</span>
        <input
          type="range"
          min={0}
          max={length}
          value={position}
          aria-valuetext={`${position} of ${length} events`}
          onInput={({ currentTarget }) => session.scrub(Number(currentTarget.value))}
        />
      </label>
      <span class="faint count">
        {position.toLocaleString("en")} / {length.toLocaleString("en")}
        {time !== undefined && ` · ${(time / 1000).toFixed(2)} s`}
      </span>
      <label class="field">
        <span class="visually-hidden">Speed</span>
        <select value={speed} onChange={({ currentTarget }) => session.setSpeed(Number(currentTarget.value))}>
          {SPEEDS.map((value) => (
            <option key={value} value={value}>
              {value} ×
            </option>
          ))}
        </select>
      </label>
    </section>
  );
}

/** @param {{ icon: IconName, title: string, onClick: () => void, disabled: boolean }} props */
const Button = ({ icon, title, onClick, disabled }) => (
  <button type="button" class="quiet" aria-label={title} title={title} onClick={onClick} disabled={disabled}>
    <Icon name={icon} />
  </button>
);
