// A chart over time: bytes received and characters of the response.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";

/** @import { Delta } from "respool" */
/** @import { Recording } from "../session/recording.js" */
/** @import { OpenSession } from "../session/session.js" */

const HEIGHT = 190;

/** @param {{ session: OpenSession }} props */
export function Chart({ session }) {
  const { recording, position } = session;
  const container = useRef(/** @type {HTMLDivElement | null} */ (null));
  const plot = useRef(/** @type {uPlot | undefined} */ (undefined));
  const [themeChanges, setThemeChanges] = useState(0);
  const count = recording.frames.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the frames grow in place, so their count tells when they changed
  const data = useMemo(() => growthOf(recording), [recording, count]);
  const isTimed = recording.isTimed;

  useEffect(() => {
    const redraw = () => setThemeChanges((changes) => changes + 1);
    const media = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("themechange", redraw);
    media.addEventListener("change", redraw);
    return () => {
      removeEventListener("themechange", redraw);
      media.removeEventListener("change", redraw);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme decides the colours; new data goes into the same chart
  useEffect(() => {
    const element = /** @type {HTMLDivElement} */ (container.current);
    const chart = new uPlot(optionsOf(element, isTimed), data, element);
    plot.current = chart;
    const observer = new ResizeObserver(([{ contentRect }]) => chart.setSize({ width: contentRect.width, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [recording, isTimed, themeChanges]);
  useEffect(() => plot.current?.setData(data), [data]);
  useEffect(() => {
    const left = plot.current?.valToPos(data[0][Math.max(position - 1, 0)] ?? 0, "x");
    if (left !== undefined && Number.isFinite(left)) plot.current?.setCursor({ left, top: HEIGHT / 2 });
  }, [position, data]);

  const [axis, bytes, characters] = data;
  const summary = `${bytes.at(-1) ?? 0} bytes and ${characters.at(-1) ?? 0} characters over ${isTimed ? `${(axis.at(-1) ?? 0).toFixed(2)} seconds` : `${count} events`}`;
  return <div ref={container} class="chart" role="img" aria-label={summary} />;
}

/**
 * Returns the totals after each frame.
 *
 * @param {Recording} recording
 * @returns {[number[], number[], number[]]} time or event number, bytes, characters
 */
function growthOf({ frames, deltas, isTimed }) {
  const axis = [];
  const bytes = [];
  const characters = [];
  let total = 0;
  for (const [index, { end, time }] of frames.entries()) {
    for (const delta of deltas[index]) total += lengthOf(delta);
    axis.push(isTimed ? (time ?? 0) / 1000 : index + 1);
    bytes.push(end);
    characters.push(total);
  }
  return [axis, bytes, characters];
}

/** @param {Delta} delta */
function lengthOf(delta) {
  if (delta.type === "tool-call-delta") return delta.arguments.length;
  return "text" in delta ? delta.text.length : 0;
}

/**
 * @param {HTMLElement} element
 * @param {boolean} isTimed
 * @returns {uPlot.Options}
 */
function optionsOf(element, isTimed) {
  const style = getComputedStyle(element);
  // The browser resolves a custom property that depends on the theme only where it is used as a colour.
  /** @param {string} name */
  const colour = (name) => {
    element.style.color = `var(${name})`;
    const { color } = style;
    element.style.color = "";
    return color;
  };
  const axis = {
    stroke: colour("--faint"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: `11px ${style.fontFamily}`,
  };
  /** @param {string} label @param {string} stroke */
  const series = (label, stroke) => ({ label, scale: label, stroke, width: 1.5, points: { show: false } });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    scales: { x: { time: false } },
    cursor: { y: false, drag: { x: false, y: false } },
    axes: [
      { ...axis, values: (_, splits) => splits.map((value) => (isTimed ? `${value} s` : value)) },
      { ...axis, scale: "bytes", size: 58 },
      { ...axis, scale: "characters", side: 1, size: 50, grid: { show: false } },
    ],
    series: [
      { label: isTimed ? "seconds" : "event" },
      series("bytes", colour("--chart-1")),
      series("characters", colour("--chart-2")),
    ],
  };
}
