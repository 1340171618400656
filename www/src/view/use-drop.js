import { useEffect, useState } from "preact/hooks";

/**
 * Opens files and text dropped anywhere on the page, or pasted outside a text field.
 *
 * @param {import("./source.jsx").Open} open
 * @returns {boolean} whether something is being dragged over the page
 */
export function useDrop(open) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    /** @param {DataTransfer | null} data @param {string} name */
    const openData = (data, name) => {
      const file = data?.files[0];
      const text = data?.getData("text/plain");
      if (file) open(file.name, file);
      else if (text) open(name, new TextEncoder().encode(text));
    };
    /** @param {DragEvent} event */
    const dragOver = (event) => {
      event.preventDefault();
      setOver(true);
    };
    /** @param {DragEvent} event */
    const dragLeave = (event) => {
      if (event.relatedTarget === null) setOver(false);
    };
    /** @param {DragEvent} event */
    const drop = (event) => {
      event.preventDefault();
      setOver(false);
      openData(event.dataTransfer, "dropped text");
    };
    /** @param {ClipboardEvent} event */
    const paste = (event) => {
      const isInField = event.target instanceof Element && event.target.closest("input, textarea") !== null;
      if (!isInField) openData(event.clipboardData, "pasted text");
    };
    document.addEventListener("dragover", dragOver, { signal });
    document.addEventListener("dragleave", dragLeave, { signal });
    document.addEventListener("drop", drop, { signal });
    document.addEventListener("paste", paste, { signal });
    return () => controller.abort();
  }, [open]);
  return isOver;
}
