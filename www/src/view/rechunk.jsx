// A slider that parses the same bytes in chunks of another size, to show that only the number of chunks changes.
import { useEffect, useState } from "preact/hooks";
import { rechunk } from "../session/rechunk.js";

/** @import { OpenSession } from "../session/session.js" */

const SIZES = [1, 2, 3, 5, 7, 16, 64, 256, 1024, 4096, 16384, 65536, 1 << 20];

/** @typedef {Awaited<ReturnType<typeof rechunk>>} Outcome */

/** @param {{ session: OpenSession }} props */
export function Rechunk({ session }) {
  const { recording } = session;
  const [step, setStep] = useState(4);
  const [outcome, setOutcome] = useState(/** @type {Outcome | undefined} */ (undefined));
  const size = SIZES[step];
  useEffect(() => {
    let isOutdated = false;
    setOutcome(undefined);
    rechunk(recording, size).then((found) => {
      if (!isOutdated) setOutcome(found);
    });
    return () => {
      isOutdated = true;
    };
  }, [recording, recording.size, recording.isFinished, size]);
  return (
    <div class="rechunk">
      <label>
        Chunk size in bytes: <strong>{size.toLocaleString("en")}</strong>
        <input
          type="range"
          min={0}
          max={SIZES.length - 1}
          value={step}
          aria-valuetext={`${size} bytes`}
          onInput={({ currentTarget }) => setStep(Number(currentTarget.value))}
        />
      </label>
      <p role="status">
        {outcome === undefined ? (
          "Parsing…"
        ) : (
          <>
            {countOf(outcome.chunks, "chunk")}, {countOf(outcome.deltas, "delta")}:{" "}
            <strong class={outcome.isSame ? "good" : "problem"}>{outcome.isSame ? "same result" : "different result"}</strong>
          </>
        )}
      </p>
      <p class="faint">Chunks end inside events, characters and line endings, as they do on a network.</p>
    </div>
  );
}

/** @param {number} count @param {string} noun */
const countOf = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
