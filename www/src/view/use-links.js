// Links the answer with the events: highlights the text that the selected event added and the matches of the search,
// and selects the event that a clicked word came from.
import { useEffect } from "preact/hooks";
import { characterAt, rangesOf } from "./locate.js";

/** @import { RefObject } from "preact" */
/** @import { OpenSession } from "../session/session.js" */

const MOST_FOUND = 200;

/** @param {RefObject<HTMLElement | null>} root element of the answer @param {OpenSession} session */
export function useLinks(root, session) {
  const { recording, selected, found, position, isPlaying } = session;

  // Blocks show their text after the answer is rendered, so highlights come after the layout.
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const spans = selected >= 0 && selected < position ? recording.provenance.spansOf(selected) : [];
    const added = spans.flatMap((span) => rangesOf(element, span));
    highlight("added", added);
    markCards(
      element,
      spans.map(({ key }) => key),
    );
  });
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    highlight(
      "found",
      found.slice(0, MOST_FOUND).flatMap((span) => rangesOf(element, span)),
    );
  });
  // The answer scrolls to the selection, but doesn't take the focus.
  useEffect(() => {
    const element = root.current;
    if (!element || selected < 0) return;
    const [span] = recording.provenance.spansOf(selected);
    if (span !== undefined) reveal(element, [...rangesOf(element, span), element.querySelector(`[data-call="${span.key}"]`)]);
  }, [root, recording, selected]);
  useEffect(() => {
    const element = root.current;
    const [span] = found;
    if (element && span && !isPlaying) reveal(element, rangesOf(element, span));
  }, [root, found, isPlaying]);
  useEffect(
    () => () => {
      highlight("added", []);
      highlight("found", []);
    },
    [],
  );
}

/** Returns the event that the clicked character came from. @param {OpenSession} session @param {MouseEvent} event */
export function eventOfClick({ recording }, event) {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("a, button, summary, input") || getSelection()?.isCollapsed === false) return undefined;
  const call = target.closest("[data-call]");
  const path = target.closest("[data-path]");
  if (call && path) {
    return recording.provenance.frameOfPath(call.getAttribute("data-call") ?? "", path.getAttribute("data-path") ?? "");
  }
  const character = characterAt(event.clientX, event.clientY);
  return character && recording.provenance.frameAt(character.key, character.offset);
}

/** @param {string} name @param {Range[]} ranges */
function highlight(name, ranges) {
  // Older browsers have no highlights; the cards of calls are marked in all browsers.
  if (typeof Highlight === "undefined") return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

/** Marks the cards of calls, whose arguments may be a tree. @param {Element} element @param {string[]} keys */
function markCards(element, keys) {
  for (const card of element.querySelectorAll("[data-call]")) {
    card.classList.toggle("added", keys.includes(card.getAttribute("data-call") ?? ""));
  }
}

/**
 * Scrolls only the answer, until the first visible target is in view.
 *
 * @param {Element} root
 * @param {(Range | Element | null)[]} targets
 */
function reveal(root, targets) {
  const scroller = root.querySelector(".scroller");
  const box = targets.map((target) => target?.getBoundingClientRect()).find((shown) => shown !== undefined && shown.height > 0);
  if (!scroller || !box) return;
  const view = scroller.getBoundingClientRect();
  if (view.height === 0 || (box.top >= view.top && box.bottom <= view.bottom)) return;
  scroller.scrollTop += box.top - view.top - view.height / 3;
}
