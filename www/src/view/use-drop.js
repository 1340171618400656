import { useEffect, useState } from "preact/hooks";

/** Files and text may be dropped anywhere on the page, and pasted where no field has the focus. */
export function useDrop(open) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = (event) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer, "dropped text");
    };
    const paste = (event) => {
      if (event.target.closest?.("input, textarea")) return;
      take(event.clipboardData, "pasted text");
    };
    const take = async (data, name) => {
      const [file] = data.files;
      const text = data.getData("text/plain");
      if (file) open(file.name, new Uint8Array(await file.arrayBuffer()));
      else if (text) open(name, new TextEncoder().encode(text));
    };
    const listeners = { dragover: over, dragleave: leave, drop, paste };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener);
    return () => Object.entries(listeners).forEach(([name, listener]) => removeEventListener(name, listener));
  }, [open]);
  return isOver;
}
