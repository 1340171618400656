// A Durable Object that reads one answer and serves it to any number of pages. It saves the state of the stream after
// each read, so that it can continue after it was evicted or moved.
import { DurableObject } from "cloudflare:workers";
import { StreamAccumulator } from "respool";

const encoder = new TextEncoder();

/** @typedef {ReadableStreamDefaultController<Uint8Array>} Page */

export class Answer extends DurableObject {
  #accumulator = new StreamAccumulator();
  /** Number of bytes of the source that the accumulator has read. */
  #read = 0;
  #isOver = false;
  /** @type {Set<Page>} */
  #pages = new Set();
  /** @type {Promise<void> | undefined} */
  #reading;

  constructor(ctx, env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const known = await ctx.storage.get("answer");
      if (!known) return;
      this.#accumulator = StreamAccumulator.restore(known.state);
      this.#read = known.read;
      this.#isOver = known.isOver;
    });
  }

  /** Lets a page join: it gets the answer so far, and then all further deltas. */
  fetch() {
    /** @type {Page} */
    let page;
    const body = new ReadableStream({
      start: (controller) => {
        page = controller;
        page.enqueue(encoder.encode(": here is the answer\n\n")); // so that the response begins at once
        send(page, this.#accumulator.catchUp());
        if (this.#isOver) page.close();
        else this.#pages.add(page);
      },
      cancel: () => this.#pages.delete(page),
    });
    if (!this.#isOver) {
      this.#reading ??= this.#readOn()
        .catch((error) => this.#drop(error))
        .finally(() => (this.#reading = undefined));
    }
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  /** Reads the source from the saved position. */
  async #readOn() {
    const headers = { range: `bytes=${this.#read}-` };
    const source = await fetch(this.env.SOURCE_URL, { headers });
    const isAtEnd = source.status === 416; // no bytes are left
    if (!source.ok && !isAtEnd) throw new Error(`The source answers ${source.status}`);
    if (this.#read > 0 && source.status === 200) throw new Error("The source can't be read from the middle");
    for await (const bytes of isAtEnd ? [] : source.body) {
      const deltas = this.#accumulator.pushBytes(bytes);
      this.#read += bytes.length;
      this.#tell(deltas);
    }
    this.#accumulator.finish();
    this.#isOver = true;
    this.#tell(this.#accumulator.takeDeltas());
    for (const page of this.#pages) page.close();
    this.#pages.clear();
  }

  /** Handles a lost source: the pages lose their connection, and the first that reconnects continues reading. */
  #drop(error) {
    console.error(error);
    for (const page of this.#pages) page.error(error);
    this.#pages.clear();
  }

  /**
   * Saves the state and sends deltas to the pages. `put` isn't awaited: nothing leaves the object before the state is
   * stored.
   */
  #tell(deltas) {
    this.ctx.storage.put("answer", { state: this.#accumulator.save(), read: this.#read, isOver: this.#isOver });
    for (const page of this.#pages) send(page, deltas);
  }
}

/** Sends deltas as server-sent events. */
function send(page, deltas) {
  for (const delta of deltas) page.enqueue(encoder.encode(`data: ${JSON.stringify(delta)}\n\n`));
}

export default {
  /** Handles a request. The path is the name of the answer. */
  fetch(request, env) {
    const answer = env.ANSWERS.getByName(new URL(request.url).pathname);
    return answer.fetch(request);
  },
};
