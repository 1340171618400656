// The runs of the playground in this session: the request and the recorded response, without keys.
import { formatToolMessages } from "respool";
import { ask } from "./ask.js";
import { requestOf } from "./form.js";
import { messageOf } from "../capture/values.js";
import { clip } from "../diagnosis/piece.js";

/** @import { Recording } from "../session/recording.js" */
/** @import { PlaygroundForm } from "./form.js" */

/**
 * @typedef {object} Run
 * @property {number} number
 * @property {string} title
 * @property {Omit<PlaygroundForm, "key">} form
 * @property {object[]} messages the conversation that was sent, in the interface's own form
 * @property {Recording} recording
 */

/** @typedef {{ onStart(recording: Recording): void, onBytes(): void }} Listeners */

export class Runs {
  /** The runs, the latest first. @type {Run[]} */
  list = [];
  #count = 0;

  /**
   * Sends a request, and records its response as a run.
   *
   * @param {PlaygroundForm} form
   * @param {object[]} messages
   * @param {AbortSignal} signal
   * @param {Listeners} listeners
   * @returns {Promise<string | undefined>} a message to the user if the request failed
   */
  send(form, messages, signal, { onStart, onBytes }) {
    this.#count += 1;
    const number = this.#count;
    const { key, ...asked } = form;
    const name = form.api === "curl" ? hostOf(form.url) : form.model.trim();
    const title = form.api === "curl" ? name : `${name}: ${clip(form.prompt.trim(), 40)}`;
    return ask(requestOf(form, messages), `${number} · ${name}`, signal, {
      onBytes,
      onStart: (recording) => {
        this.list = [{ number, title, form: asked, messages, recording }, ...this.list];
        onStart(recording);
      },
    });
  }
}

/** Returns the calls that wait for results. @param {Run | undefined} run */
export function openCalls(run) {
  if (!run?.recording.isFinished || !canContinue(run.form.api)) return [];
  const { ending, toolCalls } = run.recording.result;
  return ending === "complete" ? toolCalls : [];
}

/** @param {PlaygroundForm["api"]} api @returns {api is Exclude<PlaygroundForm["api"], "curl" | "workers-ai">} */
const canContinue = (api) => api !== "curl" && api !== "workers-ai";

/**
 * Returns the conversation with the results of the calls.
 *
 * @param {Run} run
 * @param {string[]} results in the order of the calls
 * @returns {{ messages: object[] } | { problem: string }}
 */
export function withResults({ form: { api }, messages, recording }, results) {
  if (!canContinue(api)) return { problem: "This interface takes no tool results." };
  const { response, toolCalls } = recording.result;
  try {
    return { messages: [...messages, ...formatToolMessages(api, response, toolCalls, results)] };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** @param {string} url */
const hostOf = (url) => (URL.canParse(url) ? new URL(url).host : "request");
