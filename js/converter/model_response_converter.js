import { arrived } from "../abort.js";
import { checked } from "../checked.js";
import { ResponseConverter } from "./response_converter.js";

const isConverter = checked(
  (value) => typeof value?.convertResponse === "function" && typeof value.convertStreamingResponse === "function",
  "the converter",
);

export class ModelResponseConverter {
  static get name() {
    return "ModelResponseConverter";
  }

  #response;
  #converter;

  constructor(response, converter) {
    this.#response = response;
    this.#converter = isConverter(converter) ? converter : new ResponseConverter(converter ?? null);
  }

  async invoke() {
    return this.#converter.convertResponse(await arrived(this.#load()));
  }

  async *stream(config, nodeName, meta) {
    yield* this.#converter.convertStreamingResponse(config, nodeName, await arrived(this.#load()), meta);
  }

  /** The response, or what the function gives that asks for it. */
  #load() {
    return typeof this.#response === "function" ? this.#response() : this.#response;
  }
}
