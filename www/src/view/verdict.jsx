// The verdict above all panes. Its pieces link to events and bytes.
import { useMemo, useState } from "preact/hooks";
import { verdictOf } from "../diagnosis/verdict.js";
import { Icon } from "./icon.jsx";

/** @import { Piece, Sentence } from "../diagnosis/piece.js" */
/** @import { IconName } from "./icon.jsx" */
/** @import { Verdict as VerdictData } from "../diagnosis/verdict.js" */
/** @import { OpenSession } from "../session/session.js" */

/** @type {Record<VerdictData["tone"], IconName>} */
const ICONS = { good: "check", warning: "warning", bad: "broken", open: "arriving" };

/** @typedef {(piece: Piece) => void} Follow */

/** @param {{ session: OpenSession, onFollow: Follow }} props */
export function Verdict({ session, onFollow }) {
  const { recording } = session;
  const [isOpen, setOpen] = useState(true);
  const count = recording.isFinished ? -1 : Math.min(recording.frames.length, 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a recording has a verdict when it has begun and when it ends
  const { tone, title, findings, advice } = useMemo(() => verdictOf(recording), [recording, count]);
  const hasMore = findings.length + advice.length > 0;
  return (
    <section class={`verdict is-${tone}`} aria-label="Verdict">
      <div class="headline">
        <Icon name={ICONS[tone]} />
        <h2>
          <Pieces pieces={title} onFollow={onFollow} />
        </h2>
        {hasMore && (
          <button type="button" class="quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Less" : "More"}
          </button>
        )}
      </div>
      {hasMore && isOpen && (
        <div class="reasons">
          {findings.length > 0 && (
            <ul class="findings" aria-label="Findings">
              {findings.map((pieces, index) => (
                <li key={index}>
                  <Pieces pieces={pieces} onFollow={onFollow} />
                </li>
              ))}
            </ul>
          )}
          {advice.length > 0 && (
            <ul class="advice" aria-label="What to do">
              {advice.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </section>
  );
}

/** @param {{ pieces: Sentence, onFollow: Follow }} props */
export const Pieces = ({ pieces, onFollow }) => pieces.map((piece, index) => <PieceView key={index} {...{ piece, onFollow }} />);

/** @param {{ piece: Piece, onFollow: Follow }} props */
function PieceView({ piece, onFollow }) {
  const { text, code, frame } = piece;
  const content = (
    <>
      {text}
      {code !== undefined && <code>{code}</code>}
    </>
  );
  if (frame === undefined) return content;
  return (
    <a
      class="link"
      href={`#event-${frame + 1}`}
      title={`Show event ${frame + 1}`}
      onClick={(event) => {
        event.preventDefault();
        onFollow(piece);
      }}
    >
      {content}
    </a>
  );
}
