// A form that asks a model. The key stays in this form: it is stored nowhere, and goes to the named server only.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../playground/ask.js";
import { INTERFACES, faultOf, requestOf } from "../playground/interfaces.js";
import { Icon } from "./icon.jsx";

const TOOLS_HINT = '[{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]';

export function Playground({ session, onLive }) {
  const [form, setForm] = useState({
    api: "openai-chat",
    base: INTERFACES["openai-chat"].base,
    key: "",
    model: "",
    prompt: "",
    tools: "",
    maxTokens: "",
  });
  const [trouble, setTrouble] = useState();
  const [stop, setStop] = useState();
  const latest = useRef();
  useEffect(() => () => latest.current?.abort(), []);

  const set = (name) => ({
    value: form[name],
    onInput: ({ target }) => setForm((before) => ({ ...before, [name]: target.value })),
  });
  const choose = ({ target }) => {
    const isOwn = Object.values(INTERFACES).every(({ base }) => base !== form.base);
    setForm({ ...form, api: target.value, base: isOwn ? form.base : INTERFACES[target.value].base });
  };
  const send = async (event) => {
    event.preventDefault();
    const fault = faultOf(form);
    setTrouble(fault);
    if (fault) return;
    const controller = new AbortController();
    latest.current = controller;
    setStop(() => () => controller.abort());
    const listeners = { onStart: onLive, onBytes: () => session.follow() };
    setTrouble(await ask(requestOf(form), form.model.trim(), controller.signal, listeners));
    setStop(undefined);
  };

  return (
    <section class="playground" aria-label="Playground">
      <form onSubmit={send}>
        <label class="field">
          Interface
          <select value={form.api} onChange={choose}>
            {Object.entries(INTERFACES).map(([id, { title }]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label class="field wide">
          Base URL
          <input type="url" required spellcheck={false} {...set("base")} />
        </label>
        <label class="field">
          Key
          <input type="password" autocomplete="off" spellcheck={false} aria-describedby="key-note" {...set("key")} />
        </label>
        <label class="field">
          Model
          <input required spellcheck={false} autocomplete="off" {...set("model")} />
        </label>
        <label class="field short">
          Max. tokens
          <input inputMode="numeric" pattern="[0-9]*" {...set("maxTokens")} />
        </label>
        <label class="field full">
          Prompt
          <textarea rows={3} required {...set("prompt")} />
        </label>
        <details class="full">
          <summary>Tools</summary>
          <label class="field">
            Definitions, as a JSON array
            <textarea rows={4} spellcheck={false} placeholder={TOOLS_HINT} {...set("tools")} />
          </label>
        </details>
        <div class="full toolbar">
          {stop ? (
            <button key="stop" type="button" class="primary" onClick={stop}>
              <Icon name="stop" /> Stop
            </button>
          ) : (
            <button key="send" type="submit" class="primary">
              <Icon name="send" /> Send
            </button>
          )}
          <p id="key-note" class="faint">
            The key is kept in memory until you leave, and sent to the base URL only.
          </p>
        </div>
      </form>
      <p role="alert" class="trouble">
        {trouble}
      </p>
    </section>
  );
}
