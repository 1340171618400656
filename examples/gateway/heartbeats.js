// Events that clients ignore, while the model is silent: proxies close connections on which nothing happens.
import { StreamEncoder } from "respool/encode";

/** The heartbeat of an interface. */
function heartbeatOf(to) {
  const encoder = new StreamEncoder(to);
  try {
    return encoder.heartbeat();
  } finally {
    encoder.free();
  }
}

/** Passes a stream on. Each of its chunks is whole events, so a heartbeat may come between any two. */
export function withHeartbeats(stream, to, milliseconds) {
  const heartbeat = heartbeatOf(to);
  const reader = stream.getReader();
  let timer;
  return new ReadableStream(
    {
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
