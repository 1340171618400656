// The entry without the module in it: an error that says so, until it is given one.
import { equal, ok, thrownBy } from "./expect.mjs";

/** `load` resolves with anything that `init` takes. Leaves the entry initialised. */
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
}
