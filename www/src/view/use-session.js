import { useEffect, useState } from "preact/hooks";

/** @import { Session } from "../session/session.js" */

/** Renders the component again whenever the session changes. @param {Session} session */
export function useSession(session) {
  const [, redraw] = useState(0);
  useEffect(() => session.subscribe(() => redraw((count) => count + 1)), [session]);
}
