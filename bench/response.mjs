// Recorded reads as a fetch response, which is what SDKs read, without a network.

/** Returns a response whose body returns these reads, one per pull. */
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

/** A `fetch` without a network, which returns the last response set by {@link respondWith}. */
export class Playback {
  #response = [];

  /** Sets the next response: its reads, and their media type unless they are events. */
  respondWith(reads, type) {
    this.#response = [reads, type];
  }

  fetch = async () => responseOf(...this.#response);
}
