// The slider that cuts the same bytes elsewhere, and shows that nothing changes but the number of reads.
import { useEffect, useState } from "preact/hooks";
import { recut } from "../session/recut.js";

const STOPS = [1, 2, 3, 5, 7, 16, 64, 256, 1024, 4096, 16384, 65536, 1 << 20];

export function Recut({ session }) {
  const { recording } = session;
  const [stop, setStop] = useState(4);
  const [outcome, setOutcome] = useState();
  const size = STOPS[stop];
  useEffect(() => {
    let isOld = false;
    setOutcome(undefined);
    const { bytes, isOver } = recording;
    recut(bytes, size, isOver).then(
      (found) => isOld || setOutcome({ ...found, isSame: found.result === JSON.stringify(recording.result) }),
    );
    return () => (isOld = true);
  }, [recording, recording.size, recording.isOver, size]);
  return (
    <div class="recut">
      <label>
        Bytes in a read: <strong>{size.toLocaleString("en")}</strong>
        <input
          type="range"
          min={0}
          max={STOPS.length - 1}
          value={stop}
          aria-valuetext={`${size} bytes`}
          onInput={({ target }) => setStop(Number(target.value))}
        />
      </label>
      <p role="status">
        {outcome === undefined ? (
          "Reading…"
        ) : (
          <>
            {outcome.reads.toLocaleString("en")} reads, {outcome.deltas.toLocaleString("en")} deltas:{" "}
            <strong class={outcome.isSame ? "good" : "trouble"}>{outcome.isSame ? "the same result" : "another result"}</strong>
          </>
        )}
      </p>
      <p class="faint">Reads end inside events, characters and line ends, as they do on a network.</p>
    </div>
  );
}
