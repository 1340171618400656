// How much had come when: bytes on the wire, and characters of the answer.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";

const HEIGHT = 190;

export function Chart({ session }) {
  const { recording, position } = session;
  const place = useRef();
  const plot = useRef();
  const [theme, setTheme] = useState(0);
  const count = recording.frames.length;
  const data = useMemo(() => growth(recording), [recording, count]);
  const isTimed = recording.isTimed;

  useEffect(() => {
    const changed = () => setTheme((times) => times + 1);
    const media = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("themechange", changed);
    media.addEventListener("change", changed);
    return () => {
      removeEventListener("themechange", changed);
      media.removeEventListener("change", changed);
    };
  }, []);
  useEffect(() => {
    const chart = new uPlot(optionsOf(place.current, isTimed), data, place.current);
    plot.current = chart;
    const observer = new ResizeObserver(([{ contentRect }]) => chart.setSize({ width: contentRect.width, height: HEIGHT }));
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [recording, isTimed, theme]);
  useEffect(() => plot.current?.setData(data), [data]);
  useEffect(() => {
    const chart = plot.current;
    const left = chart?.valToPos(data[0][Math.max(position - 1, 0)] ?? 0, "x");
    if (Number.isFinite(left)) chart.setCursor({ left, top: HEIGHT / 2 });
  }, [position, data]);

  const [axis, bytes, characters] = data;
  const summary = `${bytes.at(-1) ?? 0} bytes and ${characters.at(-1) ?? 0} characters over ${isTimed ? `${(axis.at(-1) ?? 0).toFixed(2)} seconds` : `${count} events`}`;
  return <div ref={place} class="chart" role="img" aria-label={summary} />;
}

/** What had come with each frame. */
function growth({ frames, deltas, isTimed }) {
  const axis = [];
  const bytes = [];
  const characters = [];
  let sum = 0;
  for (const [at, { end, time }] of frames.entries()) {
    for (const delta of deltas[at]) sum += (delta.type === "tool-call-delta" ? delta.arguments : (delta.text ?? "")).length;
    axis.push(isTimed ? (time ?? 0) / 1000 : at + 1);
    bytes.push(end);
    characters.push(sum);
  }
  return [axis, bytes, characters];
}

function optionsOf(place, isTimed) {
  const style = getComputedStyle(place);
  // A property that depends on the theme is worked out where it is a colour of something.
  const colour = (name) => {
    place.style.color = `var(${name})`;
    const { color } = style;
    place.style.color = "";
    return color;
  };
  const axis = {
    stroke: colour("--faint"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: `11px ${style.fontFamily}`,
  };
  const series = (label, scale, stroke) => ({ label, scale, stroke, width: 1.5, points: { show: false } });
  return {
    width: place.clientWidth,
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
      series("bytes", "bytes", colour("--chart-1")),
      series("characters", "characters", colour("--chart-2")),
    ],
  };
}
