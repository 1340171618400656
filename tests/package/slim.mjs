// The entry without a module: using it throws an error until it gets one, in any form.
import { equal, ok, thrownBy } from "./expect.mjs";

/** Checks an entry and leaves it initialised. `load` resolves with any source that `init` accepts. */
export default async function checkSlim(slim, load) {
  const early = [() => slim.process({}, { choices: [] }), () => new slim.StreamAccumulator().push({})];
  for (const use of early) {
    const error = await thrownBy(use, "use before init");
    ok(slim.RespoolError.isInstance(error), `a RespoolError, not ${error}`);
    equal(error.code, "not-initialised", "code");
  }
  const invalid = await thrownBy(() => slim.init(5), "init with a number");
  equal(invalid.code, "invalid-option", "code");
  await Promise.all([slim.init(load()), slim.init(load())]);
  await slim.init(load());
  equal(slim.process({}, { choices: [{ message: { content: "Ready." } }] }), "Ready.", "afterwards");
}

/** Checks that the slim and the main entry, loaded from the same kind of files, are one library, ready to use. */
export function checkShared(slim, respool) {
  ok(slim.RespoolError === respool.RespoolError, "both entries to give the same classes");
  equal(slim.process({}, { choices: [{ message: { content: "Ready." } }] }), "Ready.", "without init");
}

/**
 * Checks every source that `init` and `initSync` accept, each with a fresh copy of the entry.
 *
 * @param {() => Promise<object>} fresh - loads a fresh copy
 * @param {Uint8Array} bytes - the module
 * @param {string} address - its URL for `fetch`
 * @returns {Promise<number>} the number of checks
 */
export async function checkSources(fresh, bytes, address) {
  const around = new Uint8Array(bytes.length + 8);
  around.set(bytes, 4);
  const served = (headers) => new Response(bytes.slice(), { headers });
  const sources = {
    "a WebAssembly.Module": () => new WebAssembly.Module(bytes),
    "a promise of one": () => WebAssembly.compile(bytes),
    "a Uint8Array": () => bytes,
    "an ArrayBuffer": () => bytes.slice().buffer,
    "a part of a buffer": () => new DataView(around.buffer, 4, bytes.length),
    "a URL": () => new URL(address),
    "an address": () => address,
    "a Response": () => served({ "content-type": "application/wasm" }),
    "a Response of another type": () => served({ "content-type": "text/plain" }),
    "a promise of a Response": () => fetch(address),
  };
  for (const [what, source] of Object.entries(sources)) {
    await checkSlim(await fresh(), source).catch((cause) => {
      throw new Error(`init with ${what}: ${cause.message}`, { cause });
    });
  }
  for (const source of [new WebAssembly.Module(bytes), bytes, bytes.slice().buffer]) {
    const slim = await fresh();
    slim.initSync(source);
    equal(
      slim.process({}, { choices: [{ message: { content: "Ready." } }] }),
      "Ready.",
      `initSync with ${Object.prototype.toString.call(source)}`,
    );
  }
  const slim = await fresh();
  const refused = await thrownBy(() => slim.init(new Response("Not found", { status: 404 })), "init with an error page");
  ok(refused.message.includes("404"), `an error that has the status, not ${refused}`);
  await thrownBy(() => slim.init(new Uint8Array(8)), "init with bytes that are no module");
  // init can be called again after a failure.
  await slim.init(bytes);
  return Object.keys(sources).length + 4;
}
