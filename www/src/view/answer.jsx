// The response up to the replay position: reasoning, text, refusal, tool calls and citations.
import { useRef, useState } from "preact/hooks";
import { asObject, asString } from "../capture/values.js";
import { callKey, keyOf } from "../session/provenance.js";
import { Parts } from "./parts.jsx";
import { TextBlocks } from "./text-blocks.jsx";
import { ToolCard } from "./tool-card.jsx";
import { eventOfClick, useLinks } from "./use-links.js";

/** @import { ToolCallStatus } from "respool" */
/** @import { OpenSession } from "../session/session.js" */
/** @import { Call, Choice as ChoiceState, Transcript } from "../session/transcript.js" */

/** @param {{ session: OpenSession }} props */
export function Answer({ session }) {
  const { transcript, recording } = session;
  const [isMarkdown, setMarkdown] = useState(true);
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  useLinks(root, session);
  const { choices, error } = transcript;
  /** @param {Call} call */
  const statusOf = ({ id, status }) => {
    if (status !== undefined || !session.isAtEnd) return status;
    // The end of the input decides the status of a call that the provider didn't end.
    const { toolCalls, toolCallStatus } = recording.result;
    return toolCallStatus[toolCalls.findIndex((call) => call.id === id)];
  };
  /** @param {MouseEvent} event */
  const click = (event) => {
    const frame = eventOfClick(session, event);
    if (frame !== undefined) session.select(frame);
  };
  return (
    <section ref={root} class="answer" aria-label="Answer">
      <div class="toolbar tight pane-head">
        <h2>Answer</h2>
        <span class="faint hint">Click a word to see its event.</span>
        <span class="spacer" />
        <label class="toggle">
          <input type="checkbox" checked={isMarkdown} onChange={({ currentTarget }) => setMarkdown(currentTarget.checked)} />{" "}
          Markdown
        </label>
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: with the keyboard, select an event to see its words, or search for words */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div class="scroller" tabIndex={0} onClick={click}>
        {choices.length === 0 && !error && (
          <p class="faint">{recording.isFinished && session.isAtEnd ? "No answer." : "Nothing received yet."}</p>
        )}
        {choices.map((choice) => (
          <Choice
            key={choice.index}
            {...{ choice, transcript, isMarkdown, statusOf }}
            {...(choices.length > 1 && { title: `Choice ${choice.index + 1}` })}
          />
        ))}
        {error && (
          <div class="notice problems">
            <strong>{error.code}</strong> {error.message}
          </div>
        )}
      </div>
    </section>
  );
}

/**
 * @param {object} props
 * @param {ChoiceState} props.choice
 * @param {Transcript} props.transcript
 * @param {boolean} props.isMarkdown
 * @param {(call: Call) => ToolCallStatus | undefined} props.statusOf
 * @param {string} [props.title]
 */
export function Choice({ choice, transcript, isMarkdown, statusOf, title }) {
  const { reasoning, text, refusal, calls, annotations, parts, index } = choice;
  return (
    <article class="choice">
      {title && <h3>{title}</h3>}
      {reasoning && (
        <details class="reasoning" open>
          <summary>Reasoning</summary>
          <TextBlocks text={reasoning} isMarkdown={false} stream={keyOf(index, "reasoning")} />
        </details>
      )}
      <Parts parts={parts} />
      {text && <TextBlocks key={String(isMarkdown)} text={text} isMarkdown={isMarkdown} stream={keyOf(index, "text")} />}
      {refusal && (
        <div class="notice refusal">
          <strong>Refusal</strong> <span data-stream={keyOf(index, "refusal")}>{refusal}</span>
        </div>
      )}
      {annotations.length > 0 && <Annotations annotations={annotations} />}
      {calls.map((call, number) => (
        <ToolCard
          key={call.index}
          call={call}
          stream={callKey(index, number)}
          status={statusOf(call)}
          value={transcript.argumentsOf(call, index)}
        />
      ))}
    </article>
  );
}

/** @param {{ annotations: unknown[] }} props */
function Annotations({ annotations }) {
  return (
    <ul class="annotations" aria-label="Annotations">
      {annotations.map((annotation, index) => (
        <li key={index}>
          <Annotation annotation={annotation} />
        </li>
      ))}
    </ul>
  );
}

/** Shows an annotation. Some providers nest the citation. @param {{ annotation: unknown }} props */
function Annotation({ annotation }) {
  const outer = asObject(annotation);
  const { url, title, document_title, cited_text, type } = { ...outer, ...asObject(outer.url_citation) };
  const name = String(title ?? document_title ?? cited_text ?? url ?? type ?? "annotation");
  const href = asString(url) ?? "";
  const isSafe = /^https?:/i.test(href);
  return isSafe ? (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {name}
    </a>
  ) : (
    <span>{name}</span>
  );
}
