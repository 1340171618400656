// The module's bytes, for bundles and others that can't read a separate file: see `FAST_BYTES` in
// scripts/build/bundle.mjs. Base64 is larger than the text of the default entry, but faster to decode.
import { base64 } from "../../pkg/module-fast-text.js";
import { bytesOf } from "../base64.js";

export const bytes = bytesOf(base64);
