// The state of the page besides the session: the open capture, the sources beside it, and the runs being compared.
import { useCallback, useMemo, useReducer, useRef } from "preact/hooks";
import { CaptureError, openCapture, readFile } from "../capture/capture.js";
import { SAMPLES } from "../capture/samples.js";
import { messageOf } from "../capture/values.js";
import { leadOf, verdictOf } from "../diagnosis/verdict.js";
import { parseCurl } from "../playground/curl.js";
import { Recording } from "../session/recording.js";

/** @import { Capture, Entry } from "../capture/capture.js" */
/** @import { CurlRequest } from "../playground/curl.js" */
/** @import { Run } from "../playground/runs.js" */
/** @import { Session } from "../session/session.js" */

/** @typedef {Capture & { name: string }} NamedCapture */

/**
 * @typedef {object} PageState
 * @property {NamedCapture} [capture]
 * @property {number} chosen index of the entry in the capture
 * @property {string | undefined} [problem]
 * @property {boolean} isReading
 * @property {boolean} isAsking
 * @property {boolean} isPasting
 * @property {Run[]} [compared] shown instead of the session
 * @property {CurlRequest} [command]
 */

/**
 * @typedef {{ type: "open" | "leave" | "read" | "paste" | "uncompare" }
 *   | { type: "opened", capture: NamedCapture }
 *   | { type: "ask", isAsking: boolean }
 *   | { type: "choose", chosen: number }
 *   | { type: "command", command: CurlRequest }
 *   | { type: "compare", compared: Run[] }
 *   | { type: "fail", problem: string }} Action
 */

/** @type {PageState} */
const START = { chosen: 0, isReading: false, isAsking: false, isPasting: false };

const encoder = new TextEncoder();
/** Maximum length of a cURL command. Longer files aren't one. */
const LONGEST_COMMAND = 1_000_000;

/**
 * @param {PageState} state
 * @param {Action} action
 * @returns {PageState}
 */
function reduce(state, action) {
  const { compared: _, ...others } = state;
  const { capture: __, ...sources } = others;
  switch (action.type) {
    case "open": // The last capture stays until another one is opened.
      return { ...others, problem: undefined, isReading: false, isPasting: false };
    case "opened":
      return { ...state, capture: action.capture, problem: action.capture.notice };
    case "choose":
      return { ...state, chosen: action.chosen, isReading: true };
    case "read":
      return { ...state, isReading: false };
    case "fail":
      return { ...state, problem: action.problem };
    case "leave":
      return { ...sources, problem: undefined, isReading: false };
    case "command":
      return { ...state, command: action.command, isAsking: true };
    case "ask":
      return { ...state, isAsking: action.isAsking };
    case "paste":
      return { ...state, isPasting: !state.isPasting };
    case "compare":
      return { ...state, compared: action.compared };
    case "uncompare":
      return others;
  }
}

/** @param {Session} session */
export function usePage(session) {
  const [state, dispatch] = useReducer(reduce, START);
  /** Counts the user's requests. Reading takes time, and only the last one is shown. */
  const asked = useRef(0);

  const showEntry = useCallback(
    /** @param {Entry} entry @param {number} chosen */
    async (entry, chosen) => {
      const turn = ++asked.current;
      dispatch({ type: "choose", chosen });
      try {
        const recording = await Recording.of(entry);
        if (turn !== asked.current) return;
        session.show(recording);
        // A break is shown at once.
        const lead = leadOf(verdictOf(recording));
        if (lead?.frame !== undefined) session.select(lead.frame, lead.bytes);
      } finally {
        if (turn === asked.current) dispatch({ type: "read" });
      }
    },
    [session],
  );
  const open = useCallback(
    /** @param {string} name @param {Blob | Uint8Array<ArrayBuffer>} content */
    async (name, content) => {
      dispatch({ type: "open" });
      const turn = ++asked.current;
      try {
        const bytes = content instanceof Blob ? await readFile(name, content) : content;
        if (turn !== asked.current) return;
        const command = bytes.length < LONGEST_COMMAND ? parseCurl(new TextDecoder().decode(bytes)) : undefined;
        if (command) {
          dispatch({ type: "command", command });
          return;
        }
        const opened = await openCapture(name, bytes);
        if (turn !== asked.current) return;
        dispatch({ type: "opened", capture: { ...opened, name } });
        await showEntry(opened.entries[0], 0);
      } catch (error) {
        const isKnown = error instanceof CaptureError;
        const problem = isKnown ? error.message : `${name} can't be shown: ${messageOf(error)}`;
        if (turn === asked.current) dispatch({ type: "fail", problem });
        if (!isKnown) throw error; // for the console
      }
    },
    [showEntry],
  );
  const others = useMemo(() => {
    const leave = () => {
      asked.current += 1;
      dispatch({ type: "leave" });
    };
    return {
      openText: (/** @type {string} */ name, /** @type {string} */ text) => open(name, encoder.encode(text)),
      openSample(/** @type {string} */ id) {
        const sample = SAMPLES.find((known) => known.id === id);
        if (sample) open(id, encoder.encode(sample.text));
      },
      clear() {
        leave();
        session.clear();
      },
      showRecording(/** @type {Recording} */ recording) {
        leave();
        session.show(recording);
      },
    };
  }, [session, open]);
  return { state, dispatch, showEntry, open, ...others };
}
