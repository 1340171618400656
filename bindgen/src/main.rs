//! Generates the JavaScript and the types for a WebAssembly module: `respool-bindgen MODULE FOLDER`.
//!
//! The build uses this rather than the wasm-bindgen command, which takes twice as long to compile.

use std::collections::HashSet;
use std::env;
use std::error::Error;
use std::fs;
use std::mem;
use std::path::PathBuf;

use wasm_bindgen_cli_support::{Bindgen, Output};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [module, folder] = paths.as_slice() else {
        return Err("usage: respool-bindgen MODULE FOLDER".into());
    };
    let mut output = Bindgen::new()
        .web(true)?
        .omit_default_module_path(true)
        // Objects know the instance that they belong to: see js/guard.js.
        .reset_state_function(true)
        .typescript(true)
        .out_name("respool")
        .input_path(module)
        .generate_output()?;
    for function in output.wasm_mut().funcs.iter_mut() {
        if let Some(name) = function.name.as_deref().and_then(by_trait) {
            function.name = Some(name);
        }
    }
    let renamed = shorten_imports(&mut output);
    output.emit(folder)?;
    let script = folder.join("respool.js");
    let code = fs::read_to_string(&script)?;
    fs::write(&script, renamed.iter().fold(code, |code, (long, short)| code.replace(long, short)))?;
    Ok(())
}

/// Returns the name of a trait's method with the trait first. The build sorts functions by name, and the
/// implementations of a trait are similar.
fn by_trait(name: &str) -> Option<String> {
    let (owner, method) = name.rsplit_once(">::")?;
    let (of, which) = match owner.split_once("<impl ") {
        Some((_, owner)) => owner.split_once(" for ")?,
        None => owner.strip_prefix('<')?.rsplit_once(" as ").map(|(which, of)| (of, which))?,
    };
    Some(format!("{of} for {which}::{method}"))
}

/// Names imports after their functions alone, without the hashes, which don't compress. Returns the old and new names.
fn shorten_imports(output: &mut Output) -> Vec<(String, String)> {
    let imports = &mut output.wasm_mut().imports;
    let mut taken: HashSet<String> = imports.iter().map(|import| import.name.clone()).collect();
    let mut renamed = Vec::new();
    for import in imports.iter_mut() {
        let Some((name, hash)) = import.name.rsplit_once('_') else { continue };
        if hash.len() != 16 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            continue;
        }
        let name = name.trim_start_matches("__wbg_").trim_start_matches("__wbindgen_");
        let mut short = name.to_owned();
        for number in 2.. {
            if taken.insert(short.clone()) {
                break;
            }
            short = format!("{name}{number}");
        }
        renamed.push((mem::replace(&mut import.name, short.clone()), short));
    }
    renamed
}
