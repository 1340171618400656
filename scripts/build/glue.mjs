// Adapts the JavaScript glue that wasm-bindgen generates to js/.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../paths.mjs";

/**
 * An esbuild plugin that loads the adapted glue of a module.
 *
 * @param {{ folder: string }} module
 * @returns {import("esbuild").Plugin}
 */
export const adaptedGlue = ({ folder }) => ({
  name: "adapted-glue",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]pkg[/\\]wasm[/\\]respool\.js$/ }, async () => ({
      contents: adapt(await readFile(join(ROOT, folder, "wasm", "respool.js"), "utf8")),
      loader: "js",
    }));
  },
});

/** The code of wasm-bindgen, and its replacement. @type {[RegExp, string][]} */
const CHANGES = [
  // The same module is imported once for each block in Rust; bundlers warn about that.
  [/^import \* as import(?!1 )\d+ from .*\n/gm, ""],
  [/^ +"[^"]+": import(?!1,)[1-9]\d*,\n/gm, ""],
  // js/guard.js replaces the instance, and only when no call is under way.
  [/__wbg_call_guard\(\);/g, ""],
  [/throw new Error\('Invalid stale object from previous Wasm instance'\)/g, "throw stale()"],
  [
    /Object\.defineProperty\(this, '__wbg_inst', \{ value: __wbg_instance_id, writable: true \}\)/g,
    "this.__wbg_inst = __wbg_instance_id",
  ],
  // js/encoding.js creates encoders when they are needed.
  [/let cachedTextDecoder = [\s\S]*?\n\}\n(?=\nconst cachedTextEncoder)/g, ""],
  [/const cachedTextEncoder = new TextEncoder\(\);\n\nif [\s\S]*?\n\}\n/g, ""],
  [/cachedTextEncoder\./g, "textEncoder()."],
  // js/encoding.js writes long text several times faster.
  [/ {4}for \(; offset < len; offset\+\+\) \{\n[\s\S]*?\n {4}\}\n/g, "    offset = writeAscii(arg, mem, ptr);\n"],
  // An object that is freed while a call reads it, by a getter of the user's, is dropped after that call. Objects of a
  // replaced instance are gone already.
  [/(wasm\.\w+\(ptr), 0\)/g, "if (this.__wbg_inst === __wbg_instance_id) $1, 1)"],
  // js/entries/instance.js initialises the module.
  [/^async function __wbg_load[\s\S]*/m, ""],
];

/** The exports for js/entries/instance.js: the imports, and functions that start, replace or fake an instance. */
const EXPORTS = `
import { decodeText, textEncoder, writeAscii } from "../../js/encoding.js";
import { stale } from "../../js/guard.js";
export { __wbg_get_imports as getImports, __wbg_finalize_init as useInstance };
export const stackPointer = () => wasm.__stack_pointer;
export function leaveInstance() { __wbg_instance_id++; }
export function setExports(exports) { wasm = exports; }
`;

/** @param {string} glue as generated */
export function adapt(glue) {
  const adapted = CHANGES.reduce((text, [pattern, replacement]) => {
    if (text.search(pattern) < 0) throw new Error(`wasm-bindgen generates different code: nothing matches ${pattern}`);
    return text.replace(pattern, replacement);
  }, glue);
  return adapted + EXPORTS;
}
