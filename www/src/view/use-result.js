import { useEffect, useRef, useState } from "preact/hooks";
import { PartialResult } from "../session/partial-result.js";

/** @import { StreamResult } from "respool" */
/** @import { OpenSession } from "../session/session.js" */

/** Milliseconds for which a result is shown while the replay continues. */
const SHOWN_MS = 250;

/** Returns the result at the replay position, not at the end. @param {OpenSession} session */
export function useResult(session) {
  const { recording, position, isLive } = session;
  const isWhole = isLive || session.isAtEnd;
  const [result, setResult] = useState(/** @type {StreamResult | undefined} */ (undefined));
  const target = useRef(position);
  target.current = position;
  useEffect(() => {
    if (isWhole) return;
    const partial = new PartialResult(recording);
    let isOver = false;
    /** Set unless a result is being read. @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let shown = -1;
    const update = async () => {
      timer = undefined;
      const wanted = target.current;
      if (wanted !== shown) {
        const found = await partial.at(wanted);
        if (isOver) {
          partial.free();
          return;
        }
        setResult(found);
        shown = wanted;
      }
      timer = setTimeout(update, SHOWN_MS);
    };
    update();
    return () => {
      isOver = true;
      if (timer !== undefined) {
        clearTimeout(timer);
        partial.free();
      }
      setResult(undefined);
    };
  }, [recording, isWhole]);
  return isWhole ? recording.result : result;
}
