// What the module and its glue call each other by. wasm-bindgen puts a hash into most names, which no compression makes
// smaller, so Binaryen gives all of them short ones: `{ imports: [[module, name, short]], exports: [[name, short]] }`.

/** The one module of the glue, as Binaryen names it, and the name that wasm-bindgen gives its own functions. */
const MODULE = "a";
const OWN = "./respool_bg.js";

/**
 * The glue with the short names. It keeps to itself what js/entries/instance.js needs: its imports, the step that takes
 * an instance into use, and the variable that holds it; they are exported at its end.
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
  return renamed + opening(others);
}

/** `others`: functions of our own that the module imports. */
function opening(others) {
  const modules = [...new Set(others.map(([module]) => module))];
  const import_ = (module, at) => `import * as others${at} from ${JSON.stringify(module)};`;
  const members = others.map(([module, name, short]) => `${JSON.stringify(short)}: others${modules.indexOf(module)}.${name}`);
  return `
${modules.map(import_).join("\n")}
export const getImports = () => ({ ${MODULE}: { ...__wbg_get_imports()[${JSON.stringify(OWN)}], ${members.join(", ")} } });
export { __wbg_finalize_init as useInstance };
export function setExports(exports) { wasm = exports; }
`;
}
