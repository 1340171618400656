// Sends events that clients ignore while the model is silent, because proxies close idle connections.
import { StreamEncoder } from "respool/encode";

/** Returns the heartbeat of an interface. */
function heartbeatOf(to) {
  const encoder = new StreamEncoder(to);
  try {
    return encoder.heartbeat();
  } finally {
    encoder.free();
  }
}

/** Returns whether a promise takes longer than this. */
export async function isSlow(promise, milliseconds) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds, true);
  });
  const settled = promise.then(
    () => false,
    () => false,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

/**
 * Passes a stream on with heartbeats. Each chunk consists of whole events, so a heartbeat may come between any two.
 * With `isDue`, one is sent at once.
 */
export function withHeartbeats(stream, to, milliseconds, isDue = false) {
  const heartbeat = heartbeatOf(to);
  const reader = stream.getReader();
  let timer;
  return new ReadableStream(
    {
      start(controller) {
        if (isDue) controller.enqueue(heartbeat);
      },
      async pull(controller) {
        timer = setInterval(() => controller.enqueue(heartbeat), milliseconds);
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } finally {
          clearInterval(timer);
        }
      },
      async cancel(reason) {
        clearInterval(timer);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
