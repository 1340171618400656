/** @import { StreamSource } from "../types/api.js" */
/** @import { TranslatedStream, TranslateOptions } from "../types/encode.js" */

import { Translation } from "./translation.js";

/**
 * @param {StreamSource} source
 * @param {TranslateOptions} options
 * @returns {TranslatedStream}
 */
export function translateStream(source, options) {
  const translation = new Translation(source, options);
  const { result, lost } = translation;
  return { stream: streamOf(translation), result, lost };
}

/**
 * Returns the stream of a translation. Nothing is read until the stream is.
 *
 * @param {Translation} translation
 * @returns {ReadableStream<Uint8Array<ArrayBuffer>>}
 */
export function streamOf(translation) {
  return new ReadableStream(
    {
      async pull(controller) {
        const bytes = await translation.next();
        if (bytes === undefined) controller.close();
        else controller.enqueue(bytes);
      },
      cancel: (reason) => translation.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
