import { useEffect, useState } from "preact/hooks";

/** Shows a component anew when the session has changed. */
export function useSession(session) {
  const [, redraw] = useState(0);
  useEffect(() => session.subscribe(() => redraw((count) => count + 1)), [session]);
}
