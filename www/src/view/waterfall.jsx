// The gap before an event, as a bar on the time of the whole response.
import { useEffect, useRef } from "preact/hooks";
import { formatTime } from "../diagnosis/piece.js";

/** @import { Frame } from "../session/recording.js" */

/** Minimum length in milliseconds of gaps that are highlighted and labelled. */
const LONG_GAP_MS = 250;

/** @param {{ frames: Frame[], index: number }} props */
export function Waterfall({ frames, index }) {
  const bar = useRef(/** @type {HTMLSpanElement | null} */ (null));
  const { time } = frames[index];
  const total = frames.at(-1)?.time || 1;
  const before = index === 0 ? 0 : (frames[index - 1].time ?? 0);
  const gap = time === undefined ? 0 : Math.max(time - before, 0);
  useEffect(() => {
    bar.current?.style.setProperty("--from", `${(before / total) * 100}%`);
    bar.current?.style.setProperty("--size", `${(gap / total) * 100}%`);
  }, [before, gap, total]);
  if (time === undefined) return <span class="track" />;
  const isLong = gap > LONG_GAP_MS;
  const [from, to] = [before / total, (before + gap) / total];
  // The label is placed where there is room: after the bar, before it, or inside.
  const place = to < 0.55 ? "" : from > 0.42 ? "late" : "inside";
  return (
    <span class="track" title={`${formatTime(gap)} after the event before`}>
      <span ref={bar} class={`gap ${isLong ? "long" : ""} ${place}`}>
        {isLong && <span class="length">+{formatTime(gap)}</span>}
      </span>
    </span>
  );
}
