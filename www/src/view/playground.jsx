// A form that sends a prompt to a model. The API key stays in memory and is sent only to the base URL.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../playground/ask.js";
import { INTERFACES, problemWith, requestOf } from "../playground/interfaces.js";
import { Icon } from "./icon.jsx";

/** @import { PlaygroundApi, PlaygroundForm } from "../playground/interfaces.js" */
/** @import { Recording } from "../session/recording.js" */
/** @import { Session } from "../session/session.js" */

const TOOLS_EXAMPLE = '[{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]';

/** @type {PlaygroundForm} */
const EMPTY_FORM = {
  api: "openai-chat",
  base: INTERFACES["openai-chat"].base,
  key: "",
  model: "",
  prompt: "",
  tools: "",
  maxTokens: "",
};

/** @typedef {import("preact").TargetedEvent<HTMLInputElement | HTMLTextAreaElement>} FieldEvent */

/** @param {{ session: Session, onLive: (recording: Recording) => void }} props */
export function Playground({ session, onLive }) {
  const [form, setForm] = useState(EMPTY_FORM);
  const [problem, setProblem] = useState(/** @type {string | undefined} */ (undefined));
  const [isSending, setSending] = useState(false);
  const controller = useRef(/** @type {AbortController | undefined} */ (undefined));
  useEffect(() => () => controller.current?.abort(), []);

  /** @param {Exclude<keyof PlaygroundForm, "api">} name */
  const field = (name) => ({
    value: form[name],
    onInput: (/** @type {FieldEvent} */ { currentTarget: { value } }) => setForm((before) => ({ ...before, [name]: value })),
  });
  /** @param {PlaygroundApi} api */
  const choose = (api) => {
    const isDefaultBase = Object.values(INTERFACES).some(({ base }) => base === form.base);
    setForm({ ...form, api, base: isDefaultBase ? INTERFACES[api].base : form.base });
  };
  /** @param {SubmitEvent} event */
  const send = async (event) => {
    event.preventDefault();
    const invalid = problemWith(form);
    setProblem(invalid);
    if (invalid) return;
    controller.current = new AbortController();
    setSending(true);
    const listeners = { onStart: onLive, onBytes: () => session.follow() };
    setProblem(await ask(requestOf(form), form.model.trim(), controller.current.signal, listeners));
    setSending(false);
  };

  return (
    <section class="playground" aria-label="Playground">
      <form onSubmit={send}>
        <label class="field">
          API
          <select value={form.api} onChange={({ currentTarget }) => choose(/** @type {PlaygroundApi} */ (currentTarget.value))}>
            {Object.entries(INTERFACES).map(([id, { title }]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label class="field wide">
          Base URL
          <input type="url" required spellcheck={false} {...field("base")} />
        </label>
        <label class="field">
          API key
          <input type="password" autocomplete="off" spellcheck={false} aria-describedby="key-note" {...field("key")} />
        </label>
        <label class="field">
          Model
          <input required spellcheck={false} autocomplete="off" {...field("model")} />
        </label>
        <label class="field short">
          Max. tokens
          <input inputMode="numeric" pattern="[0-9]*" {...field("maxTokens")} />
        </label>
        <label class="field full">
          Prompt
          <textarea rows={3} required {...field("prompt")} />
        </label>
        <details class="full">
          <summary>Tools</summary>
          <label class="field">
            Definitions, as a JSON array
            <textarea rows={4} spellcheck={false} placeholder={TOOLS_EXAMPLE} {...field("tools")} />
          </label>
        </details>
        <div class="full toolbar">
          {isSending ? (
            <button key="stop" type="button" class="primary" onClick={() => controller.current?.abort()}>
              <Icon name="stop" /> Stop
            </button>
          ) : (
            <button key="send" type="submit" class="primary">
              <Icon name="send" /> Send
            </button>
          )}
          <p id="key-note" class="faint">
            The API key stays in memory until you leave and is sent only to the base URL.
          </p>
        </div>
      </form>
      <p role="alert" class="problem">
        {problem}
      </p>
    </section>
  );
}
