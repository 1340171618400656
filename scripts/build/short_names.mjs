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
  [/if \(this\.__wbg_inst !== undefined && this\.__wbg_inst !== __wbg_instance_id\) \{\s+throw new Error\('Invalid stale object from previous Wasm instance'\);\s+\}/g, "checkInstance(this);"],
  [/Object\.defineProperty\(this, '__wbg_inst', \{ value: __wbg_instance_id, writable: true \}\)/g, "this.__wbg_inst = __wbg_instance_id"],
  // Everything that runs the module has it: js/inbox.js goes by that, too.
  [/if \(!\('encodeInto' in cachedTextEncoder\)\) \{[^]*?\n\}\n/g, ""],
  // What is freed while a call reads it, by a getter of the user's, goes when that call is over; what a module had that
  // is gone is gone.
  [/(wasm\.\w+\(ptr), 0\)/g, "if (this.__wbg_inst === __wbg_instance_id) $1, 1)"],
  // What is written again and again is a function. Nobody but js/ has these classes, which says by itself what is disposed,
  // and uses encodeInto anyway.
  [/^if \(Symbol\.dispose\).*$/gm, ""],
  [/^if \(!\('encodeInto' in cachedTextEncoder\)\) \{[^]*?^\}$/gm, ""],
  [/\(typeof FinalizationRegistry === 'undefined'\)\s+\? \{ register: \(\) => \{\}, unregister: \(\) => \{\} \}\s+: new FinalizationRegistry\(\(\{ ptr, instance \}\) => \{\s+if \(instance === __wbg_instance_id\) wasm\.(\w+)\(ptr, 1\);\s+\}\)/g, "finalization((ptr) => wasm.$1(ptr, 1))"],
  [/__destroy_into_raw\(\) \{\s+const ptr = this\.__wbg_ptr;\s+this\.__wbg_ptr = 0;\s+(\w+)\.unregister\(this\);\s+return ptr;\s+\}\s+free\(\) \{\s+const ptr = this\.__destroy_into_raw\(\);\s+if \(this\.__wbg_inst === __wbg_instance_id\) (wasm\.\w+)\(ptr, 1\);\s+\}/g, "free() { release(this, $1, $2); }"],
  [/getDataViewMemory0\(\)\.setInt32\(\(arg0 >>> 0\) \+ 4 \* 1, (\w+), true\);\s+getDataViewMemory0\(\)\.setInt32\(\(arg0 >>> 0\) \+ 4 \* 0, (\w+), true\);/g, "setPair(arg0, $2, $1);"],
  [/let ret;\s+ret = (.*);\s+if \(ret\[2\]\) \{\s+throw takeFromExternrefTable0\(ret\[1\]\);\s+\}\s+return takeFromExternrefTable0\(ret\[0\]\);/g, "return taken($1);"],
  [/let ret;\s+ret = (.*);\s+return ret(.*);/g, "return $1$2;"],
  [/this\.__wbg_ptr = (.+);\s+this\.__wbg_inst = __wbg_instance_id;\s+(\w+)\.register\(this, \{ ptr: .+, instance: __wbg_instance_id \}, this\);\s+return this;/g, "return adopt(this, $2, $1);"],
  // It always can be.
  [/^ +if \(realloc === undefined\) \{[^{}]*\}$/gm, ""],
  // Memory is refused by a trap only, after which all of it is gone.
  [/try \{\n([^{}]*?)\n\s+\} catch \(e\) \{\n(?:\s+if \(ptr\d+\) \{ wasm\.\w+\([^)]*\); \}\n)+\s+throw e;\n\s+\}/g, "$1"],
  [/\b__wbg_(ptr|inst)\b/g, "$1"],
];

/** The functions that stand for it. */
const FUNCTIONS = `
function checkInstance(object) {
  if (object.inst !== __wbg_instance_id) throw stale();
}
function finalization(free) {
  if (typeof FinalizationRegistry === "undefined") return { register() {}, unregister() {} };
  return new FinalizationRegistry(({ ptr, instance }) => {
    if (instance === __wbg_instance_id) free(ptr);
  });
}
function adopt(object, registry, ptr) {
  object.ptr = ptr;
  object.inst = __wbg_instance_id;
  registry.register(object, { ptr, instance: __wbg_instance_id }, object);
  return object;
}
function release(object, registry, free) {
  const ptr = object.ptr;
  object.ptr = 0;
  registry.unregister(object);
  if (object.inst === __wbg_instance_id) free(ptr, 1);
}
function setPair(address, first, second) {
  const view = getDataViewMemory0();
  view.setInt32(address >>> 0, first, true);
  view.setInt32((address >>> 0) + 4, second, true);
}
function taken(ret) {
  if (ret[2]) throw takeFromExternrefTable0(ret[1]);
  return takeFromExternrefTable0(ret[0]);
}
`;

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
  return `${FUNCTIONS}
${modules.map(import_).join("\n")}
export const getImports = () => ({ ${MODULE}: { ...__wbg_get_imports()[${JSON.stringify(OWN)}], ${members.join(", ")} } });
import { stale } from "../../js/guard.js";
export { __wbg_finalize_init as useInstance };
export const stackPointer = () => wasm.${stackPointer};
export function leaveInstance() { __wbg_instance_id++; }
export function setExports(exports) { wasm = exports; }
`;
}
