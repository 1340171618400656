/** Text and reasoning as messages of AG-UI. At most one of them is open at a time. */

/** @import { AgUiEvent } from "../types/ag_ui.js" */

/** @typedef {"text" | "refusal" | "reasoning"} MessageKind */

export class Messages {
  #runId;
  /**
   * The message that text is appended to.
   *
   * @type {{ kind: MessageKind, id: string } | undefined}
   */
  #open;
  /**
   * Number of ids used, by kind. Counting gives parts the same ids each time an answer is read.
   *
   * @type {Map<string, number>}
   */
  #counts = new Map();
  /**
   * Id of the message that the tool calls of this answer belong to.
   *
   * @type {string | undefined}
   */
  #parent;

  /** @param {string} runId */
  constructor(runId) {
    this.#runId = runId;
  }

  /**
   * Returns a new id, unique in the run.
   *
   * @param {string} kind
   */
  nextId(kind) {
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, count + 1);
    return `${this.#runId}-${kind}-${count}`;
  }

  /** Id of the message that a tool call belongs to. If there is none yet, creates one. */
  get parentId() {
    this.#parent ??= this.nextId("message");
    return this.#parent;
  }

  /**
   * @param {MessageKind} kind
   * @param {string} delta
   * @returns {{ id: string, events: AgUiEvent[] }}
   */
  write(kind, delta) {
    const events = this.#open?.kind === kind ? [] : [...this.close(), ...this.#start(kind)];
    const { id } = /** @type {{ id: string }} */ (this.#open);
    const type = kind === "reasoning" ? "REASONING_MESSAGE_CONTENT" : "TEXT_MESSAGE_CONTENT";
    return { id, events: [...events, { type, messageId: id, delta }] };
  }

  /**
   * @param {MessageKind} kind
   * @returns {AgUiEvent[]}
   */
  #start(kind) {
    if (kind === "reasoning") {
      const messageId = this.nextId("reasoning");
      this.#open = { kind, id: messageId };
      return [
        { type: "REASONING_START", messageId },
        { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" },
      ];
    }
    const messageId = this.nextId("message");
    this.#open = { kind, id: messageId };
    this.#parent = messageId;
    const metadata = kind === "refusal" ? { metadata: { refusal: true } } : {};
    return [{ type: "TEXT_MESSAGE_START", messageId, role: "assistant", ...metadata }];
  }

  /** @returns {AgUiEvent[]} */
  close() {
    if (this.#open === undefined) return [];
    const { kind, id: messageId } = this.#open;
    this.#open = undefined;
    if (kind !== "reasoning") return [{ type: "TEXT_MESSAGE_END", messageId }];
    return [
      { type: "REASONING_MESSAGE_END", messageId },
      { type: "REASONING_END", messageId },
    ];
  }

  /**
   * Adds a reasoning message without text.
   *
   * @returns {{ id: string, events: AgUiEvent[] }}
   */
  emptyReasoning() {
    const events = [...this.close(), ...this.#start("reasoning")];
    const { id } = /** @type {{ id: string }} */ (this.#open);
    return { id, events: [...events, ...this.close()] };
  }

  /**
   * Ends an answer: later text and calls belong to another one.
   *
   * @returns {AgUiEvent[]}
   */
  endAnswer() {
    this.#parent = undefined;
    return this.close();
  }
}
