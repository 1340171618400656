// The answer as far as it has come: reasoning, text, refusal, tool calls, and what was cited.
import { useState } from "preact/hooks";
import { Markdown } from "./markdown.jsx";
import { Parts } from "./parts.jsx";
import { ToolCard } from "./tool-card.jsx";

export function Answer({ session }) {
  const { transcript, recording } = session;
  const [isRendered, setRendered] = useState(true);
  if (recording.isWithoutMessage) return null;
  const { choices, error } = transcript;
  // How a call ended that nobody ended is known when the input is over.
  const { toolCalls, toolCallStatus } = session.isAtEnd ? recording.result : { toolCalls: [] };
  const statusOf = ({ id, status }) => status ?? toolCallStatus?.[toolCalls.findIndex((call) => call.id === id)];
  return (
    <section class="answer" aria-label="Answer">
      <div class="toolbar tight">
        <h2>Answer</h2>
        <span class="spacer" />
        <label class="toggle">
          <input type="checkbox" checked={isRendered} onChange={({ target }) => setRendered(target.checked)} /> Markdown
        </label>
      </div>
      {choices.length === 0 && !error && <p class="faint">Nothing has come yet.</p>}
      {choices.map((choice) => (
        <Choice
          key={choice.index}
          {...{ choice, transcript, isRendered }}
          statusOf={statusOf}
          title={choices.length > 1 ? `Choice ${choice.index + 1}` : undefined}
        />
      ))}
      {error && (
        <div class="notice problems" role="alert">
          <strong>{error.code}</strong> {error.message}
        </div>
      )}
    </section>
  );
}

function Choice({ choice, transcript, isRendered, statusOf, title }) {
  const { reasoning, text, refusal, calls, annotations, parts, index } = choice;
  const Text = isRendered ? Markdown : Plain;
  return (
    <article class="choice">
      {title && <h3>{title}</h3>}
      {reasoning && (
        <details class="reasoning" open>
          <summary>Reasoning</summary>
          <div class="plain">{reasoning}</div>
        </details>
      )}
      <Parts parts={parts} />
      {text && <Text text={text} />}
      {refusal && (
        <div class="notice refusal">
          <strong>Refusal</strong> {refusal}
        </div>
      )}
      {annotations.length > 0 && <Annotations annotations={annotations} />}
      {calls.map((call) => (
        <ToolCard key={call.index} call={call} status={statusOf(call)} value={transcript.argumentsOf(call, index)} />
      ))}
    </article>
  );
}

const Plain = ({ text }) => <div class="plain">{text}</div>;

function Annotations({ annotations }) {
  return (
    <ul class="annotations" aria-label="Annotations">
      {annotations.map((annotation, at) => (
        <li key={at}>
          <Annotation annotation={annotation} />
        </li>
      ))}
    </ul>
  );
}

/** Providers nest the address of what is cited in one way or another. */
function Annotation({ annotation }) {
  const { url, title, document_title, cited_text, type } = { ...annotation, ...annotation.url_citation };
  const name = title ?? document_title ?? cited_text ?? url ?? type ?? "annotation";
  const isSafe = /^https?:/i.test(url ?? "");
  return isSafe ? (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {name}
    </a>
  ) : (
    <span>{name}</span>
  );
}
