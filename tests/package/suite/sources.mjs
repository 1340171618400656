// Sources of streams: a fetch Response, a ReadableStream, iterables, promises; and leaving them early.
import { ANTHROPIC, capture, CHUNKS, STREAM } from "../bodies.mjs";
import { equal, ok, thrownBy } from "../expect.mjs";

const response = () => new Response(capture(), { headers: { "content-type": "text/event-stream" } });

export default {
  async "processStream over a ReadableStream"({ processStream }) {
    await checkItems(processStream({}, readable()));
  },

  async "processStream over a fetch Response, and a promise of one"({ processStream }) {
    await checkItems(processStream({}, response()));
    await checkItems(processStream({}, Promise.resolve(response())));
  },

  async "processStream over generators of objects, text and bytes"({ processStream }) {
    async function* objects() {
      yield* CHUNKS;
    }
    async function* bytes() {
      for await (const piece of readable()) yield piece;
    }
    await checkItems(processStream({}, objects()));
    await checkItems(processStream({}, bytes()));
    await checkItems(processStream({}, CHUNKS));
    await checkItems(
      processStream(
        {},
        CHUNKS.map((each) => `data: ${JSON.stringify(each)}\n\n`),
      ),
    );
  },

  async "streamDeltas tells the result at the end"({ streamDeltas }) {
    const deltas = streamDeltas(response());
    let text = "";
    for await (const delta of deltas) if (delta.type === "text") text += delta.text;
    equal([text, deltas.result.ending], [STREAM.text, "complete"], "text and ending");
  },

  async "a transform stream"({ StreamDeltas }) {
    const transform = new StreamDeltas();
    const reader = readable().pipeThrough(transform).getReader();
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (read.value.type === "text") text += read.value.text;
    }
    equal([text, transform.result.toolCalls], [STREAM.text, STREAM.toolCalls], "text and calls");
  },

  async "leaving a loop closes its source"({ streamDeltas }) {
    let canceled = false;
    const source = new ReadableStream({
      pull: (controller) => controller.enqueue(capture().subarray(0, 900)),
      cancel() {
        canceled = true;
      },
    });
    for await (const delta of streamDeltas(source)) if (delta.type === "text") break;
    ok(canceled, "the source to be cancelled");
  },

  async "a signal ends a stream that stalls"({ streamDeltas }) {
    const controller = new AbortController();
    const stalled = new ReadableStream({ start: (stream) => stream.enqueue(capture().subarray(0, 900)) });
    const deltas = streamDeltas(stalled, { signal: controller.signal });
    const reason = new Error("enough");
    const error = await thrownBy(async () => {
      for await (const delta of deltas) if (delta.type === "text") controller.abort(reason);
    }, "an aborted stream");
    ok(error === reason, `the signal's reason, not ${error}`);
    equal(deltas.result.ending, "aborted", "ending");
  },

  async "processAsync takes what is whole and what is streamed"({ processAsync }) {
    const calls = [{ id: "toolu_1", name: "tide", arguments: '{"port":"Skjervøy"}' }];
    equal(await processAsync({}, Response.json(ANTHROPIC)), calls, "a body");
    equal(await processAsync({}, response()), STREAM.toolCalls, "a stream");
    equal(await processAsync({}, Promise.resolve(ANTHROPIC)), calls, "a promise of an object");
  },
};

function readable() {
  const bytes = capture();
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + 31));
      at += 31;
    },
  });
}

async function checkItems(items) {
  let text = "";
  const calls = [];
  for await (const item of items) {
    if (typeof item === "string") text += item;
    else calls.push(item);
  }
  equal(text, STREAM.text, "text");
  equal(calls, STREAM.toolCalls, "tool calls");
}
