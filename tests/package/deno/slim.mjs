// The slim entry in Deno, with permissions to read the module and to copy the entry.
import { readFile } from "node:fs/promises";
import check from "../behaviour.mjs";
import { freshCopy } from "../copies.mjs";
import { checkSources } from "../slim.mjs";

const bytes = new Uint8Array(await readFile(new URL(import.meta.resolve("respool/respool.wasm"))));
const fresh = () => freshCopy(import.meta.resolve("respool/slim"));
const count = await checkSources(fresh, bytes, `data:application/wasm;base64,${bytes.toBase64()}`);
const slim = await fresh();
slim.initSync(bytes);
console.log(`ok: ${count + (await check(slim))} checks`);
