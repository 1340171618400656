// What the module and its glue call each other by. wasm-bindgen puts a hash into most names, which no compression makes
// smaller, so Binaryen gives all of them short ones: `{ imports: [[module, name, short]], exports: [[name, short]] }`.

/** The one module of the glue, as Binaryen names it, and the name that wasm-bindgen gives its own functions. */
const MODULE = "a";
const OWN = "./respool_bg.js";

/**
 * The glue with the short names. It keeps to itself what js/entries/instance.js needs: its imports, the step that takes
 * an instance into use or leaves it, and the variable that holds it; they are exported at its end.
 */
export function withShortNames(glue, { imports, exports }) {
  const own = imports.filter(([module]) => module === OWN);
  const others = imports.filter(([module]) => module !== OWN);
  const [shortImports, shortExports] = [own.map(([, name, short]) => [name, short]), exports].map((pairs) => new Map(pairs));
  const renamed = glue
    .replace(/^( +)(\w+)(: ?function|\()/gm, (line, space, name, rest) =>
      shortImports.has(name) ? `${space}${JSON.stringify(shortImports.get(name))}${rest}` : line,
    )
    .replace(/\bwasm\.(\w+)/g, (member, name) => (shortExports.has(name) ? `wasm.${shortExports.get(name)}` : member));
  return changed(renamed) + opening(others, shortExports.get("__stack_pointer"));
}

/** What js/guard.js needs of the glue, in wasm-bindgen's words and in ours. */
const CHANGES = [
  // The guard sees to a new instance, and only when no call is under way.
  [/__wbg_call_guard\(\);/g, ""],
  [/throw new Error\('Invalid stale object from previous Wasm instance'\)/g, "throw stale()"],
  [
    /Object\.defineProperty\(this, '__wbg_inst', \{ value: __wbg_instance_id, writable: true \}\)/g,
    "this.__wbg_inst = __wbg_instance_id",
  ],
  // Everything that runs the module has it: js/inbox.js goes by that, too.
  [/if \(!\('encodeInto' in cachedTextEncoder\)\) \{[^]*?\n\}\n/g, ""],
  // What is freed while a call reads it, by a getter of the user's, goes when that call is over; what a module had that
  // is gone is gone.
  [/(wasm\.\w+\(ptr), 0\)/g, "if (this.__wbg_inst === __wbg_instance_id) $1, 1)"],
];

function changed(glue) {
  return CHANGES.reduce((text, [pattern, replacement]) => {
    if (text.search(pattern) < 0) throw new Error(`wasm-bindgen writes its glue in another way: there is no ${pattern}`);
    return text.replace(pattern, replacement);
  }, glue);
}

/** `others`: functions of our own that the module imports. */
function opening(others, stackPointer) {
  const modules = [...new Set(others.map(([module]) => module))];
  const import_ = (module, at) => `import * as others${at} from ${JSON.stringify(module)};`;
  const members = others.map(([module, name, short]) => `${JSON.stringify(short)}: others${modules.indexOf(module)}.${name}`);
  return `
${modules.map(import_).join("\n")}
export const getImports = () => ({ ${MODULE}: { ...__wbg_get_imports()[${JSON.stringify(OWN)}], ${members.join(", ")} } });
import { stale } from "../../js/guard.js";
export { __wbg_finalize_init as useInstance };
export const stackPointer = () => wasm.${stackPointer};
export function leaveInstance() { __wbg_instance_id++; }
export function setExports(exports) { wasm = exports; }
`;
}
