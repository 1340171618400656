//! Generates the JavaScript and the types for a WebAssembly module: `respool-bindgen MODULE FOLDER`.
//!
//! The build uses this rather than the wasm-bindgen command, which takes twice as long to compile.

use std::env;
use std::error::Error;
use std::path::PathBuf;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [module, folder] = paths.as_slice() else {
        return Err("usage: respool-bindgen MODULE FOLDER".into());
    };
    Bindgen::new()
        .web(true)?
        .omit_default_module_path(true)
        // Objects know the instance that they belong to: see js/guard.js.
        .reset_state_function(true)
        .typescript(true)
        .out_name("respool")
        .input_path(module)
        .generate(folder)?;
    Ok(())
}
