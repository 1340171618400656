// A form that sends a prompt to a model. The API key stays in the form and is sent only to the base URL.
import { useEffect, useRef, useState } from "preact/hooks";
import { EMPTY_FORM, firstMessages, formOfCurl, problemWith } from "../playground/form.js";
import { INTERFACES } from "../playground/interfaces.js";
import { openCalls, withResults } from "../playground/runs.js";
import { Icon } from "./icon.jsx";
import { RunList } from "./run-list.jsx";
import { ToolResults } from "./tool-results.jsx";

/** @import { CurlRequest } from "../playground/curl.js" */
/** @import { PlaygroundForm } from "../playground/form.js" */
/** @import { PlaygroundApi } from "../playground/interfaces.js" */
/** @import { Run, Runs } from "../playground/runs.js" */
/** @import { Recording } from "../session/recording.js" */
/** @import { Session } from "../session/session.js" */

const TOOLS_EXAMPLE = '[{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]';

/** @typedef {import("preact").TargetedEvent<HTMLInputElement | HTMLTextAreaElement>} FieldEvent */

/**
 * Sends requests, one at a time.
 *
 * @param {Session} session
 * @param {Runs} runs
 * @param {(recording: Recording) => void} onStart
 */
function useSending(session, runs, onStart) {
  const [problem, setProblem] = useState(/** @type {string | undefined} */ (undefined));
  const [isSending, setSending] = useState(false);
  const controller = useRef(/** @type {AbortController | undefined} */ (undefined));
  const stop = () => controller.current?.abort();
  useEffect(() => () => controller.current?.abort(), []);
  /** @param {PlaygroundForm} asked @param {object[]} messages */
  const send = async (asked, messages) => {
    stop();
    const own = new AbortController();
    controller.current = own;
    setProblem(undefined);
    setSending(true);
    const found = await runs.send(asked, messages, own.signal, { onStart, onBytes: () => session.follow() });
    if (controller.current !== own) return;
    setProblem(found);
    setSending(false);
  };
  return { problem, setProblem, isSending, send, stop };
}

/**
 * @param {object} props
 * @param {Session} props.session
 * @param {Runs} props.runs
 * @param {CurlRequest | undefined} props.command a pasted cURL command
 * @param {(recording: Recording) => void} props.onShow
 * @param {(runs: Run[]) => void} props.onCompare
 */
export function Playground({ session, runs, command, onShow, onCompare }) {
  const [form, setForm] = useState(EMPTY_FORM);
  const { problem, setProblem, isSending, send, stop } = useSending(session, runs, onShow);
  useEffect(() => {
    if (command) setForm((before) => formOfCurl(command, before));
  }, [command]);

  /** @param {Exclude<keyof PlaygroundForm, "api">} name */
  const field = (name) => ({
    value: form[name],
    onInput: (/** @type {FieldEvent} */ { currentTarget: { value } }) => setForm((before) => ({ ...before, [name]: value })),
  });
  /** @param {PlaygroundForm["api"]} api */
  const choose = (api) => {
    const isDefaultBase = Object.values(INTERFACES).some(({ base }) => base === form.base);
    setForm({ ...form, api, base: isDefaultBase && api !== "curl" ? INTERFACES[api].base : form.base });
  };
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const invalid = problemWith(form);
    setProblem(invalid);
    if (invalid === undefined) send(form, firstMessages(form));
  };
  /** @param {import("preact").TargetedKeyboardEvent<HTMLFormElement>} event */
  const press = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  /** @param {Run} run */
  const repeat = (run) => {
    const asked = { ...run.form, key: form.key };
    setForm(asked);
    send(asked, run.messages);
  };
  const shown = runs.list.find(({ recording }) => recording === session.recording);
  const calls = openCalls(shown);
  /** @param {string[]} results */
  const continueRun = (results) => {
    if (shown === undefined) return;
    const next = withResults(shown, results);
    if ("problem" in next) setProblem(next.problem);
    else send({ ...shown.form, key: form.key }, next.messages);
  };

  return (
    <section class="playground" aria-label="Playground">
      <form onSubmit={submit} onKeyDown={press}>
        <label class="field full">
          API
          <select
            value={form.api}
            onChange={({ currentTarget }) => choose(/** @type {PlaygroundForm["api"]} */ (currentTarget.value))}
          >
            {Object.entries(INTERFACES).map(([id, { title }]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
            <option value="curl">A request of any form (from curl)</option>
          </select>
        </label>
        {form.api === "curl" ? <AnyRequest field={field} /> : <Question api={form.api} field={field} />}
        <SendButton isSending={isSending} onStop={stop} />
      </form>
      <p role="alert" class="problem">
        {problem}
      </p>
      {calls.length > 0 && !isSending && <ToolResults key={shown?.number} calls={calls} onSend={continueRun} />}
      <RunList runs={runs.list} onOpen={({ recording }) => onShow(recording)} onRepeat={repeat} onCompare={onCompare} />
    </section>
  );
}

/** @param {{ isSending: boolean, onStop: () => void }} props */
const SendButton = ({ isSending, onStop }) => (
  <div class="full toolbar">
    {isSending ? (
      <button key="stop" type="button" class="primary" onClick={onStop}>
        <Icon name="stop" /> Stop
      </button>
    ) : (
      <button key="send" type="submit" class="primary" title="Ctrl+Enter">
        <Icon name="send" /> Send
      </button>
    )}
    <kbd class="faint">Ctrl+Enter</kbd>
  </div>
);

/** @typedef {(name: Exclude<keyof PlaygroundForm, "api">) => { value: string, onInput: (event: FieldEvent) => void }} Field */

/** @param {{ field: Field }} props */
const Key = ({ field }) => (
  <>
    <label class="field full">
      API key
      <input type="password" autocomplete="off" spellcheck={false} aria-describedby="key-note" {...field("key")} />
    </label>
    <p id="key-note" class="full faint">
      The key stays in this form until you leave, and is sent only to the server above.
    </p>
  </>
);

/** @param {{ api: PlaygroundApi, field: Field }} props */
function Question({ api, field }) {
  const { note } = INTERFACES[api];
  return (
    <>
      <label class="field full">
        Base URL
        <input type="url" required spellcheck={false} {...field("base")} />
      </label>
      {note && <p class="full faint note">{note}</p>}
      <Key field={field} />
      <label class="field">
        Model
        <input required spellcheck={false} autocomplete="off" {...field("model")} />
      </label>
      <label class="field short">
        Max. tokens
        <input inputMode="numeric" pattern="[0-9]*" {...field("maxTokens")} />
      </label>
      <label class="field full">
        System prompt
        <textarea rows={2} {...field("system")} />
      </label>
      <label class="field full">
        Prompt
        <textarea rows={4} required {...field("prompt")} />
      </label>
      <details class="full">
        <summary>Tools</summary>
        <label class="field">
          Definitions, as a JSON array
          <textarea rows={4} spellcheck={false} placeholder={TOOLS_EXAMPLE} {...field("tools")} />
        </label>
      </details>
    </>
  );
}

/** @param {{ field: Field }} props */
const AnyRequest = ({ field }) => (
  <>
    <label class="field full">
      URL
      <input type="url" required spellcheck={false} {...field("url")} />
    </label>
    <Key field={field} />
    <label class="field full">
      Headers, one a line
      <textarea rows={4} spellcheck={false} {...field("headers")} />
    </label>
    <label class="field full">
      Body
      <textarea rows={8} spellcheck={false} {...field("body")} />
    </label>
  </>
);
