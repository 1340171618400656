// Replays a recording: at the speed at which it came, faster, slower, or step by step.
import { Icon } from "./icon.jsx";

const SPEEDS = [0.25, 0.5, 1, 2, 5, 20, 100];

export function Player({ session }) {
  const { position, length, isPlaying, speed, isLive, recording } = session;
  const time = recording.frames[position - 1]?.time;
  const button = (name, label, onClick, disabled) => (
    <button type="button" class="quiet" aria-label={label} title={label} onClick={onClick} disabled={disabled}>
      <Icon name={name} />
    </button>
  );
  return (
    <section class="player" aria-label="Replay">
      {button("start", "To the beginning", () => session.seek(0), position === 0)}
      {button("back", "One event back", () => session.step(-1), position === 0)}
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
      {button("forward", "One event on", () => session.step(1), position >= length)}
      {button("end", "To the end", () => (session.pause(), session.seek(length)), position >= length)}
      <label class="position">
        <span class="visually-hidden">Position</span>
        <input
          type="range"
          min={0}
          max={length}
          value={position}
          aria-valuetext={`${position} of ${length} events`}
          onInput={({ target }) => {
            session.pause();
            session.seek(Number(target.value));
          }}
        />
      </label>
      <output class="faint count">
        {position.toLocaleString("en")} / {length.toLocaleString("en")}
        {time !== undefined && ` · ${(time / 1000).toFixed(2)} s`}
      </output>
      <label class="field">
        <span class="visually-hidden">Speed</span>
        <select value={speed} onChange={({ target }) => session.setSpeed(Number(target.value))}>
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
