// A list that renders only its visible rows, with arrow key navigation.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** @import { ComponentChildren } from "preact" */

const ROWS_PER_PAGE = 10;

/**
 * Returns the visible rows of a list that scrolls to the selected row.
 *
 * @param {number} count
 * @param {number} rowHeight
 * @param {number} selected
 */
function useRows(count, rowHeight, selected) {
  const scroller = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [, redraw] = useState(0);
  const [list] = useState(
    () =>
      new Virtualizer({
        count,
        getScrollElement: () => scroller.current,
        estimateSize: () => rowHeight,
        overscan: 8,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
        onChange: () => redraw((changes) => changes + 1),
      }),
  );
  list.setOptions({ ...list.options, count });
  useLayoutEffect(() => list._didMount(), [list]);
  useLayoutEffect(() => list._willUpdate());
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows must not scroll the list
  useEffect(() => {
    const element = scroller.current;
    const height = list.scrollRect?.height ?? 0;
    if (element === null || selected < 0 || selected >= count || height === 0) return;
    // All rows have the same height, so nothing must be measured: measuring would lay out the page once more.
    const top = list.scrollOffset ?? 0;
    const [first, last] = [selected * rowHeight, (selected + 1) * rowHeight];
    if (first < top) element.scrollTop = first;
    else if (last > top + height) element.scrollTop = last - height;
  }, [selected]);
  return { scroller, list };
}

/**
 * @param {object} props
 * @param {string} props.label
 * @param {number} props.count number of rows
 * @param {number} props.rowHeight in pixels
 * @param {number} props.selected the index of the selected row, which is scrolled into view; -1 for none
 * @param {(index: number) => void} props.onSelect
 * @param {(index: number) => string} [props.rowClass]
 * @param {(index: number) => ComponentChildren} props.render the content of a row
 */
export function VirtualList({ label, count, rowHeight, selected, onSelect, rowClass, render }) {
  const { scroller, list } = useRows(count, rowHeight, selected);
  /** @param {KeyboardEvent} event */
  const move = (event) => {
    const target = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + ROWS_PER_PAGE,
      PageUp: selected - ROWS_PER_PAGE,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (target === undefined || count === 0) return;
    event.preventDefault();
    onSelect(Math.min(Math.max(target, 0), count - 1));
  };
  /** @param {number} index */
  const idOf = (index) => `${label.replace(/\W+/g, "-")}-${index}`;
  const rows = list.getVirtualItems();
  const isSelectedRendered = rows.some(({ index }) => index === selected);

  return (
    <div
      ref={scroller}
      class="virtual-list"
      style={{ height: `${count * rowHeight + 2}px` }}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={isSelectedRendered ? idOf(selected) : undefined}
      onKeyDown={move}
    >
      <div role="presentation" style={{ height: `${list.getTotalSize()}px` }}>
        {rows.map(({ index, start, key }) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and aria-activedescendant names the row
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
          <div
            key={key}
            id={idOf(index)}
            role="option"
            class={`row ${rowClass?.(index) ?? ""}`}
            aria-selected={index === selected}
            aria-posinset={index + 1}
            aria-setsize={count}
            style={{ transform: `translateY(${start}px)`, height: `${rowHeight}px` }}
            onClick={() => onSelect(index)}
          >
            {render(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
