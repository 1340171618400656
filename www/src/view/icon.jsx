// Line icons on a 16-pixel grid.
const PATHS = {
  play: "M5 3.5v9l7-4.5z",
  pause: "M5 3.5v9M11 3.5v9",
  back: "M10.5 3.5 5 8l5.5 4.5M3.5 4v8",
  forward: "M5.5 3.5 11 8l-5.5 4.5M12.5 4v8",
  start: "M12 3.5 7.5 8l4.5 4.5M7 3.5 2.5 8 7 12.5",
  end: "M4 3.5 8.5 8 4 12.5M9 3.5 13.5 8 9 12.5",
  sun: "M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1M8 5.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z",
  moon: "M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6z",
  system: "M2 3.5h12v7.5H2zM6 13.5h4",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  file: "M4 1.5h5l3 3v10H4zM9 1.5v3h3",
  send: "M2.5 8h10M8.5 4l4 4-4 4",
  stop: "M4 4h8v8H4z",
  close: "M4 4l8 8M12 4l-8 8",
  tool: "M9.5 2.5a3.5 3.5 0 0 0-3 5L2.5 11.5l2 2 4-4a3.5 3.5 0 0 0 4.8-4.3L11 7.2 9 5.2l2-2a3.5 3.5 0 0 0-1.5-.7z",
  share: "M8 10V2.5M5 5l3-2.7L11 5M3 9.5v4h10v-4",
  warning: "M8 2 14.5 13.5h-13zM8 6.5v3.5M8 11.7v.3",
  broken: "M1.5 8h4l1-3 1.5 6 1-3h1M12.5 5.5l2 5M14.5 5.5l-2 5",
  arriving: "M8 2v9M4.5 7.5 8 11l3.5-3.5M3 13.5h10",
  check: "M3 8.5l3.3 3.3L13 4.8",
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {{ name: IconName }} props */
export const Icon = ({ name }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);
