// A list of which only what is seen is in the page; it is gone through with the arrow keys.
import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const ROWS_OF_A_PAGE = 10;

/** `follow`: the row that is to be seen, when it changes. `render` gives what is in a row. */
export function VirtualList({ label, count, rowHeight, selected, follow = selected, onSelect, rowClass, render }) {
  const scroller = useRef();
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
        onChange: () => redraw((times) => times + 1),
      }),
  );
  list.setOptions({ ...list.options, count });
  useLayoutEffect(() => list._didMount(), []);
  useLayoutEffect(() => list._willUpdate());
  useEffect(() => {
    if (follow >= 0 && follow < count) list.scrollToIndex(follow, { align: "auto" });
  }, [follow]);

  const move = (event) => {
    const target = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + ROWS_OF_A_PAGE,
      PageUp: selected - ROWS_OF_A_PAGE,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    onSelect(Math.min(Math.max(target, 0), count - 1));
  };
  const id = (index) => `${label.replace(/\W+/g, "-")}-${index}`;
  const rows = list.getVirtualItems();
  const isSelectedThere = rows.some(({ index }) => index === selected);

  return (
    <div
      ref={scroller}
      class="virtual-list"
      style={{ height: `${count * rowHeight + 2}px` }}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={isSelectedThere ? id(selected) : undefined}
      onKeyDown={move}
    >
      <div role="presentation" style={{ height: `${list.getTotalSize()}px` }}>
        {rows.map(({ index, start, key }) => (
          <div
            key={key}
            id={id(index)}
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
