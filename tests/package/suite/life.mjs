// Lifetimes: ending, freeing, many objects at once, and memory that grows during use.
import { CHUNKS, sse, STREAM } from "../bodies.mjs";
import { equal, ok, thrownBy } from "../expect.mjs";

export default {
  async "misuse of an accumulator"({ StreamAccumulator, RespoolError }) {
    const accumulator = new StreamAccumulator();
    for (const junk of [5, null, "text", undefined]) {
      const error = await thrownBy(() => accumulator.push(junk), String(junk));
      equal(error.code, "invalid-chunk", `code for ${String(junk)}`);
    }
    accumulator.finish();
    const late = await thrownBy(() => accumulator.push(CHUNKS[0]), "after the end");
    equal(late.code, "stream-finished", "code");
    accumulator.free();
    accumulator.free();
    const gone = await thrownBy(() => accumulator.push(CHUNKS[0]), "after free");
    ok(RespoolError.isInstance(gone), `a RespoolError, not ${gone}`);
  },

  async "dispose, where the runtime knows it"({ StreamAccumulator, SseDecoder, LoopDetector }) {
    for (const [Kind, use] of [
      [StreamAccumulator, (object) => object.push(CHUNKS[0])],
      [SseDecoder, (object) => object.push(new Uint8Array(1))],
      [LoopDetector, (object) => object.feed("x")],
    ]) {
      const object = new Kind();
      if (Symbol.dispose === undefined) object.free();
      else object[Symbol.dispose]();
      const error = await thrownBy(() => use(object), `${Kind.name} after dispose`);
      equal(error.code, "stream-finished", Kind.name);
    }
  },

  "many at a time, each with its own text"({ StreamAccumulator }) {
    const all = Array.from({ length: 50 }, () => new StreamAccumulator());
    for (const chunk of CHUNKS) {
      all.forEach((accumulator, at) => {
        accumulator.push(chunk);
        accumulator.push({ choices: [{ index: 0, delta: { content: `<${at}>` } }] });
      });
    }
    all.forEach((accumulator, at) => {
      const { text, toolCalls } = accumulator.finish();
      equal([text.split(`<${at}>`).join(""), toolCalls], [STREAM.text, STREAM.toolCalls], `accumulator ${at}`);
      accumulator.free();
    });
  },

  "memory that grows while a stream is read"({ StreamAccumulator, process }) {
    const piece = "Skjervøy ⛴️ ".repeat(6000);
    const accumulator = new StreamAccumulator();
    let length = 0;
    for (let at = 0; at < 20; at += 1) {
      const [delta] = accumulator.pushBytes(sse([{ choices: [{ index: 0, delta: { content: piece } }] }]));
      ok(delta.text === piece, "a delta after the memory has grown");
      length += piece.length;
    }
    ok(accumulator.finish().text.length === length, "all of it");
    const body = { choices: [{ message: { content: piece.repeat(20) } }] };
    ok(process({}, new TextEncoder().encode(JSON.stringify(body))) === piece.repeat(20), "a large body");
    accumulator.free();
  },

  "two streams that take turns within one another"({ StreamAccumulator }) {
    const outer = new StreamAccumulator();
    const inner = new StreamAccumulator();
    const chunk = {
      get choices() {
        inner.push(CHUNKS[1]);
        return CHUNKS[2].choices;
      },
    };
    outer.push(chunk);
    const [first, second] = [inner.finish().text, outer.finish().text];
    ok(first.startsWith("Tromsø"), `the inner text, not ${first}`);
    equal(second, " → Skjervøy ⛴️\n", "the outer text");
    inner.free();
    outer.free();
  },
};
