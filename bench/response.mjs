// Recorded reads as a fetch response, which is what SDKs read, without a network.

/** Returns a response whose body returns these reads, one per pull. @param {Uint8Array[]} reads */
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

/** Returns the body of a response that has one. @param {Response} response */
export function bodyOf({ body }) {
  if (body === null) throw new Error("the response has no body");
  return body;
}

/** A `fetch` without a network, which returns the last response set by {@link respondWith}. */
export class Playback {
  /** @type {Parameters<typeof responseOf>} */
  #response = [[]];

  /**
   * Sets the next response: its reads, and their media type unless they are events.
   *
   * @param {Parameters<typeof responseOf>} response
   */
  respondWith(...response) {
    this.#response = response;
  }

  fetch = async () => responseOf(...this.#response);
}
