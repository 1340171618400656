// The answer in another interface, and the content that is lost. Nothing is loaded until an interface is chosen.
import { useEffect, useState } from "preact/hooks";
import { NotLoaded, translate } from "../session/translation.js";
import { CopyButton } from "./copy-button.jsx";
import { Icon } from "./icon.jsx";
import { saveFile, toFileName } from "./save-file.js";

/** @import { Warning } from "respool" */
/** @import { WireApi } from "respool/encode" */
/** @import { Recording } from "../session/recording.js" */
/** @import { OpenSession } from "../session/session.js" */
/** @import { Form, Translation } from "../session/translation.js" */

const APIS = /** @type {const} */ (["openai-chat", "openai-responses", "anthropic-messages"]);

/** @type {Record<Form, { title: string, ending: string, type: string }>} */
const FORMS = {
  stream: { title: "Stream", ending: "sse", type: "text/event-stream" },
  body: { title: "Body", ending: "json", type: "application/json" },
};

const MOST_CHARACTERS = 20_000;

/** @param {{ session: OpenSession }} props */
export function TranslationView({ session }) {
  const { recording } = session;
  const [api, setApi] = useState(/** @type {WireApi | undefined} */ (undefined));
  const [chosen, setForm] = useState(/** @type {Form | undefined} */ (undefined));
  const form = chosen ?? (recording.isBody ? "body" : "stream");
  const { outcome, retry } = useTranslation(session, api, form);
  if (!session.isAtEnd) return <p class="faint">Available once the response is complete.</p>;
  return (
    <div class="translation">
      <div class="toolbar">
        <Choice label="Interface" names={APIS} chosen={api} titleOf={(name) => name} onChoose={setApi} />
        <Choice label="Form" names={["stream", "body"]} chosen={form} titleOf={(name) => FORMS[name].title} onChoose={setForm} />
      </div>
      <p role="status" class="faint">
        {api === undefined && "Choose the interface to write the answer as. The encoder is loaded then."}
        {api !== undefined && outcome === undefined && "Writing…"}
      </p>
      {outcome?.problem && (
        <div class="notice problems" role="alert">
          {outcome.problem}{" "}
          <button type="button" class="small" onClick={retry}>
            Try again
          </button>
        </div>
      )}
      {outcome?.translation && <Written {...outcome} translation={outcome.translation} />}
    </div>
  );
}

/**
 * @typedef {object} Outcome
 * @property {Recording} recording
 * @property {WireApi} api
 * @property {Form} form
 * @property {Translation} [translation]
 * @property {string} [problem]
 */

/**
 * Returns the answer in a form, once it is written.
 *
 * @param {OpenSession} session
 * @param {WireApi | undefined} api
 * @param {Form} form
 */
function useTranslation({ recording, isAtEnd }, api, form) {
  const [outcome, setOutcome] = useState(/** @type {Outcome | undefined} */ (undefined));
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt writes it again
  useEffect(() => {
    if (api === undefined || !isAtEnd) return;
    let isOutdated = false;
    /** @param {{ translation: Translation } | { problem: string }} end */
    const show = (end) => isOutdated || setOutcome({ recording, api, form, ...end });
    setOutcome(undefined);
    translate(recording, api, form).then(
      (translation) => show({ translation }),
      (error) => show({ problem: explain(error) }),
    );
    return () => {
      isOutdated = true;
    };
  }, [recording, isAtEnd, api, form, attempt]);
  const isCurrent = outcome?.recording === recording && outcome.api === api && outcome.form === form;
  return { outcome: isCurrent ? outcome : undefined, retry: () => setAttempt(attempt + 1) };
}

/** @param {unknown} error */
const explain = (error) =>
  error instanceof NotLoaded
    ? "The encoder couldn’t be loaded. It is the one part of this page that needs the network after the page has loaded."
    : `The answer couldn’t be written: ${error instanceof Error ? error.message : error}`;

/**
 * A group of buttons, one of which is pressed.
 *
 * @template {string} Name
 * @param {{ label: string, names: readonly Name[], chosen: Name | undefined, titleOf: (name: Name) => string, onChoose: (name: Name) => void }} props
 */
function Choice({ label, names, chosen, titleOf, onChoose }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div class="toolbar tight" role="group" aria-label={label}>
      {names.map((name) => (
        <button key={name} type="button" class="small" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {titleOf(name)}
        </button>
      ))}
    </div>
  );
}

/** @param {Outcome & { translation: Translation }} props */
function Written({ recording, api, form, translation: { text, lost } }) {
  const { title, ending, type } = FORMS[form];
  const save = () => saveFile(`${toFileName(recording.name)}.${api}.${ending}`, text, type);
  return (
    <>
      <Lost api={api} lost={lost} />
      <div class="toolbar tight">
        <CopyButton title={`Copy the ${title.toLowerCase()} as ${api}`} label="Copy" text={() => text} />
        <button type="button" onClick={save}>
          <Icon name="arriving" /> Download
        </button>
        <span class="faint">{text.length.toLocaleString("en")} characters</span>
      </div>
      <pre>{text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text}</pre>
    </>
  );
}

/** @param {{ api: WireApi, lost: Warning[] }} props */
function Lost({ api, lost }) {
  if (lost.length === 0) return <p class="good">Nothing is lost.</p>;
  return (
    <div class="lost">
      <h3>What {api} has no place for</h3>
      <ul>
        {lost.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}
