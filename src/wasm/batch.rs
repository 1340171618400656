//! The class behind `BatchReader` of the command line: see bin/reader.js. Only the command line's module has it.

use wasm_bindgen::prelude::*;

use super::options;
use crate::batch::{self, Batch, BatchOptions, Position};
use crate::collect::Collect;
use crate::error::{Error, ErrorCode};
use crate::json::to_json;
use crate::model::Api;
use crate::provider::apis;

#[wasm_bindgen]
pub struct LineReader(batch::BatchReader);

#[wasm_bindgen]
impl LineReader {
    #[wasm_bindgen(constructor)]
    pub fn new(api: Option<String>, agent: &str, whole: bool) -> Result<LineReader, JsValue> {
        let agent = options::agent(agent)?;
        let api = match api {
            Some(name) => Some(api_of(&name).ok_or_else(|| unknown_api(&name))?),
            None => None,
        };
        Ok(Self(batch::BatchReader::new(BatchOptions { api, agent, whole })))
    }

    /// Reads lines. Returns one buffer with the results, the faults as JSON, and three numbers of four bytes each: the
    /// length of the results in bytes, the number of lines, and the number of blank lines. `line` and `file` are the
    /// position of the first line, see [`Position`]; the file may be empty.
    pub fn read(&mut self, lines: &[u8], line: Option<u32>, file: &str) -> Vec<u8> {
        let file = Some(file).filter(|file| !file.is_empty());
        let start = line.map(|line| Position { file, line: line as usize });
        let Batch { results, lines, blank, faults } = self.0.read(lines, start);
        let counts = [results.len(), lines, blank];
        let mut out = results;
        out.extend_from_slice(to_json(&faults).as_bytes());
        for count in counts {
            out.extend_from_slice(&(count as u32).to_le_bytes());
        }
        out
    }
}

fn unknown_api(name: &str) -> Error {
    let names = apis().map(Api::as_str).collect_vec();
    let message = format!("Unknown interface `{name}` in `options.api`. Interfaces: {}", names.join(", "));
    Error::new(ErrorCode::InvalidOption, message)
}

fn api_of(name: &str) -> Option<Api> {
    apis().find(|api| api.as_str() == name)
}
