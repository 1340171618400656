import { registerCodec as register, unregisterCodec } from "../pkg/wasm/respool.js";
import { checked } from "./checked.js";
import { messageOf } from "./errors.js";
import { onRecovery } from "./guard.js";
import { openDocument } from "./host.js";
import { refuse } from "./options.js";

/** The codecs that are in force, by name, as they were registered. */
const registered = new Map();

onRecovery((isNew) => {
  if (isNew) for (const [name, { bridge }] of registered) register(name, bridge);
});

/** Updates as the module reads them: a list. */
function list(updates) {
  if (Array.isArray(updates)) return updates;
  return updates === undefined || updates === null ? [] : [updates];
}

/** The name of a codec that has all it needs. */
const readName = checked(({ name, detect, decode, stream }) => {
  if (typeof name !== "string" || name === "") refuse("a codec needs a name");
  if (typeof detect !== "function" || typeof decode !== "function") refuse("a codec needs the functions detect and decode");
  if (stream !== undefined && typeof stream !== "function") refuse("the stream of a codec must be a function");
  return name;
}, "the codec");

/** What reads one answer for the module. */
class Reader {
  #read;

  /** `open` makes the function that turns a body, or one event after the other, into updates. */
  constructor(open) {
    try {
      this.#read = open();
    } catch (error) {
      this.#read = () => {
        throw error;
      };
    }
  }

  /** Opens the updates as a document of the module; undefined where the codec throws. */
  read(json) {
    try {
      return openDocument(list(this.#read(JSON.parse(json))));
    } catch (error) {
      this.trouble = messageOf(error);
    }
  }
}

/** A codec as the module asks it. */
class Bridge {
  #codec;

  constructor(codec) {
    this.#codec = codec;
  }

  detects(json) {
    try {
      return Boolean(this.#codec.detect(JSON.parse(json)));
    } catch {
      return false;
    }
  }

  bodyReader() {
    return new Reader(() => (body) => this.#codec.decode(body));
  }

  streamReader() {
    return new Reader(() => (this.#codec.stream ? this.#codec.stream() : (event) => this.#codec.decode(event)));
  }
}

export const isRegistered = (name) => registered.has(name);

export function registerCodec(codec) {
  const name = readName(codec ?? {});
  const registration = { bridge: new Bridge(codec) };
  if (!register(name, registration.bridge)) refuse(`the name ${name} is not free for a codec: give it one of its own`);
  registered.set(name, registration);
  return () => {
    if (registered.get(name) !== registration) return; // another one of this name has taken its place
    registered.delete(name);
    unregisterCodec(name);
  };
}
