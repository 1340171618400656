// One answer in Redis. Its worker adds deltas to a stream and saves the state; pages read both, and may join at any
// time.
//
// The id of an entry is the number of bytes of the source that were read, a hyphen, and 1 if the source has ended:
// "4711-0".
import { RESP_TYPES } from "redis";
import { StreamAccumulator } from "respool";

/** Number of seconds for which an answer is kept after its last delta. */
const KEPT = 3600;

// Keys with the same braces are on the same node of a cluster, which transactions require.
const stateOf = (name) => `{answer:${name}}:state`;
const deltasOf = (name) => `{answer:${name}}:deltas`;

/** Reads a source from the saved position, which may be that of another worker. */
export async function readAnswer(redis, name, url) {
  let { accumulator, id } = await load(redis, name);
  if (isOver(id)) return;
  let read = Number.parseInt(id, 10);
  const source = await fetch(url, { headers: { range: `bytes=${read}-` } });
  const isAtEnd = source.status === 416; // no bytes are left
  if (!source.ok && !isAtEnd) throw new Error(`The source answers ${source.status}`);
  if (read > 0 && source.status === 200) throw new Error("The source can't be read from the middle");
  for await (const bytes of isAtEnd ? [] : source.body) {
    const deltas = accumulator.pushBytes(bytes);
    read += bytes.length;
    id = await save(redis, name, { before: id, id: `${read}-0`, deltas, accumulator });
  }
  accumulator.finish();
  await save(redis, name, { before: id, id: `${read}-1`, deltas: accumulator.takeDeltas(), accumulator });
  accumulator.free();
}

/** Yields the answer so far as deltas, and then all further deltas. It needs its own connection, because it blocks. */
export async function* followAnswer(redis, name) {
  let { accumulator, id } = await load(redis, name);
  yield* accumulator.catchUp();
  accumulator.free();
  while (!isOver(id)) {
    const [{ messages }] = await redis.xRead({ key: deltasOf(name), id }, { BLOCK: 0 });
    for (const { message } of messages) yield* JSON.parse(message.deltas);
    id = messages.at(-1).id;
  }
}

const isOver = (id) => id.endsWith("-1");

async function load(redis, name) {
  const known = await redis.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }).hGetAll(stateOf(name));
  if (!known.state) return { accumulator: new StreamAccumulator(), id: "0-0" };
  return { accumulator: StreamAccumulator.restore(known.state), id: known.id.toString() };
}

/** Writes the deltas and the state in one transaction. Throws if another worker has continued meanwhile. */
async function save(redis, name, { before, id, deltas, accumulator }) {
  await redis.watch(stateOf(name));
  const last = (await redis.hGet(stateOf(name), "id")) ?? "0-0";
  if (last !== before) throw new Error(`Another worker has read ${name} up to ${last}`);
  await redis
    .multi()
    .xAdd(deltasOf(name), id, { deltas: JSON.stringify(deltas) })
    .hSet(stateOf(name), { state: Buffer.from(accumulator.save()), id })
    .expire(deltasOf(name), KEPT)
    .expire(stateOf(name), KEPT)
    .exec();
  return id;
}
