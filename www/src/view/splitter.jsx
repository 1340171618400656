// A separator between two panes, moved by pointer or keyboard.
import { useRef } from "preact/hooks";

const STEP = 2;
const PAGE = 10;

/**
 * @param {object} props
 * @param {string} props.label
 * @param {"vertical" | "horizontal"} props.orientation orientation of the separator itself
 * @param {number} props.value position in percent of the parent
 * @param {number} props.initial position after a double click
 * @param {number} [props.min]
 * @param {number} [props.max]
 * @param {string} props.controls id of the preceding pane
 * @param {(value: number) => void} props.onMove
 */
export function Splitter({ label, orientation, value, initial, min = 15, max = 80, controls, onMove }) {
  const pointer = useRef(/** @type {number | undefined} */ (undefined));
  /** @param {number} target */
  const move = (target) => onMove(Math.round(Math.min(Math.max(target, min), max) * 10) / 10);
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const back = orientation === "vertical" ? "ArrowLeft" : "ArrowUp";
    const forward = orientation === "vertical" ? "ArrowRight" : "ArrowDown";
    const target = {
      [back]: value - STEP,
      [forward]: value + STEP,
      PageUp: value - PAGE,
      PageDown: value + PAGE,
      Home: min,
      End: max,
      Enter: initial,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    move(target);
  };
  /** @param {import("preact").TargetedPointerEvent<HTMLElement>} event */
  const start = (event) => {
    if (event.button !== 0) return;
    pointer.current = event.pointerId;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  /** @param {import("preact").TargetedPointerEvent<HTMLElement>} event */
  const drag = (event) => {
    if (pointer.current !== event.pointerId) return;
    const box = /** @type {HTMLElement} */ (event.currentTarget.parentElement).getBoundingClientRect();
    move(
      orientation === "vertical"
        ? ((event.clientX - box.left) / box.width) * 100
        : ((event.clientY - box.top) / box.height) * 100,
    );
  };
  const end = () => {
    pointer.current = undefined;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: hr can't be moved
    <div
      class={`splitter ${orientation}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-controls={controls}
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      aria-valuemax={max}
      title="Drag, or use the arrow keys; double-click to reset"
      onKeyDown={press}
      onPointerDown={start}
      onPointerMove={drag}
      onPointerUp={end}
      onLostPointerCapture={end}
      onDblClick={() => move(initial)}
    />
  );
}
