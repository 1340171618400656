// Recorded reads as a fetch response: how the SDKs get theirs, without a network.

/** A response whose body gives these reads, one for each time it is asked. */
export function responseOf(reads, type = "text/event-stream") {
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (at < reads.length) controller.enqueue(reads[at++]);
      else controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}

/** A `fetch` that answers with what {@link answerWith} was given last, and asks nobody. */
export class Playback {
  #answer = [];

  /** What the next request gets: reads, and their type if they are no events. */
  answerWith(reads, type) {
    this.#answer = [reads, type];
  }

  fetch = async () => responseOf(...this.#answer);
}
