// `respool/encode` where bytes can be compiled. The module is the one that is optimised for speed.
import { base64 } from "../../pkg/module-fast.js";
import { bytesOf } from "../base64.js";
import { start } from "./encoder.js";

start(bytesOf(base64));

export * from "../encode/api.js";
