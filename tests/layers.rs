//! The permitted dependencies between the crate's modules. See CONTRIBUTING.md.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The modules that each module may use besides itself, from the table in CONTRIBUTING.md.
static ALLOWED: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    let guide = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let rows = guide.lines().filter_map(|line| {
        let [_, path, _, may_use, _] = line.split('|').collect::<Vec<_>>().try_into().ok()?;
        let path = quoted(path).into_iter().next()?;
        let module = path.strip_prefix("src/")?.trim_end_matches('/').trim_end_matches(".rs");
        (module != BOUNDARY).then(|| (module.to_owned(), quoted(may_use)))
    });
    rows.collect()
});

/// Returns the parts of a text in backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The boundary may use every module. No module uses it.
const BOUNDARY: &str = "wasm";

/// The root only declares and re-exports modules.
const ROOT: &str = "lib";

/// A dependency on an item of another module, such as `json::Value` or `provider::openai_chat::Reader`.
#[derive(Debug, PartialEq, Eq)]
struct Arrow {
    /// The path of the using module: `["provider", "openai_chat", "usage"]`.
    from: Vec<String>,
    /// The path of the used item.
    to: Vec<String>,
}

/// Returns all paths of the crate that a source file names, in `use` declarations and elsewhere. Ignores comments and
/// the tests at the end of the file.
fn arrows(from: &[String], source: &str) -> Vec<Arrow> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let starts = ["crate::", "super::"].map(|word| code.match_indices(word));
    let starts = starts.into_iter().flatten().filter(|(at, _)| is_path_start(&code[..*at]));
    let paths = starts.flat_map(|(at, word)| {
        let rest = &code[at + word.len()..];
        let up = if word == "super::" {
            1 + rest.split("super::").take_while(|part| part.is_empty()).count()
        } else {
            from.len()
        };
        let base = from[..from.len().saturating_sub(up)].to_vec();
        let paths = read_paths(rest.trim_start_matches("super::")).into_iter();
        paths.map(move |path| [base.clone(), path].concat())
    });
    paths.map(|to| Arrow { from: from.to_vec(), to }).collect()
}

/// Whether a path can begin here, which is not inside a word.
fn is_path_start(before: &str) -> bool {
    !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == ':')
}

/// Returns the paths at the beginning of a text: one, or one for each item of `{…}`.
fn read_paths(text: &str) -> Vec<Vec<String>> {
    let Some(inner) = text.strip_prefix('{') else {
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(text.len());
        let (path, rest) = text.split_at(end);
        let names: Vec<String> =
            path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        if path.ends_with("::") && rest.starts_with('{') {
            let inner = read_paths(rest).into_iter();
            return inner.map(|path| names.iter().cloned().chain(path).collect()).collect();
        }
        return vec![names];
    };
    let (mut depth, mut start, mut paths) = (0, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' | ',' if depth == 0 => {
                let item = inner[start..at].trim();
                if !item.is_empty() {
                    paths.extend(read_paths(item));
                }
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    paths
}

/// Why a dependency isn't permitted.
fn fault(arrow: &Arrow) -> Option<String> {
    let (from, to) = (arrow.from.first()?.as_str(), arrow.to.first()?.as_str());
    let fault = |why: &str| Some(format!("{} uses {}: {why}", arrow.from.join("::"), arrow.to.join("::")));
    // Items that `lib.rs` re-exports belong to their modules.
    let is_module = |name: &str| name == BOUNDARY || ALLOWED.iter().any(|(module, _)| module == name);
    if from == ROOT || from == BOUNDARY {
        return None;
    }
    if to == BOUNDARY {
        return fault("nothing may know the boundary");
    }
    if !is_module(to) {
        return fault("name the module that it stands in");
    }
    if from == to {
        return crosses_providers(arrow).then(|| fault("providers do not know each other")).flatten();
    }
    let Some((_, allowed)) = ALLOWED.iter().find(|(module, _)| module == from) else {
        return fault("CONTRIBUTING.md has no row for the module");
    };
    if allowed.iter().any(|module| module == to) { None } else { fault("the arrow goes the wrong way") }
}

/// Whether a file of one provider names another provider.
fn crosses_providers(arrow: &Arrow) -> bool {
    let folder = |path: &[String]| path.get(1).filter(|name| is_folder(name)).cloned();
    match (folder(&arrow.from), folder(&arrow.to)) {
        (Some(from), Some(to)) => arrow.from[0] == "provider" && from != to,
        _ => false,
    }
}

fn is_folder(provider: &str) -> bool {
    source_root().join("provider").join(provider).is_dir()
}

fn source_root() -> PathBuf {
    root().join("src")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Collects all source files except tests, with the paths of their modules.
fn sources(directory: &Path, module: &[String], found: &mut Vec<(Vec<String>, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let inner: Vec<String> = module.iter().cloned().chain([name.clone()]).collect();
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            sources(&path, &inner, found);
        } else {
            let module = if name == "mod" { module.to_vec() } else { inner };
            found.push((module, fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn dependencies_are_permitted() {
    let mut found = Vec::new();
    sources(&source_root(), &[], &mut found);
    assert!(found.len() > ALLOWED.len(), "the sources were found");
    let arrows: Vec<Arrow> = found.iter().flat_map(|(module, source)| arrows(module, source)).collect();
    let faults: Vec<String> = arrows.iter().filter_map(fault).collect();
    assert_eq!(faults, Vec::<String>::new());
    for (module, _) in &*ALLOWED {
        assert!(
            found.iter().any(|(path, _)| path[0] == *module),
            "CONTRIBUTING.md: there is no module {module}"
        );
    }
    let is_used = |(module, used): &(&String, &String)| {
        arrows.iter().any(|arrow| arrow.from[0] == **module && arrow.to[0] == **used)
    };
    let permitted =
        ALLOWED.iter().flat_map(|(module, may_use)| may_use.iter().map(move |used| (module, used)));
    let unused: Vec<_> = permitted.filter(|pair| !is_used(pair)).collect();
    assert!(unused.is_empty(), "CONTRIBUTING.md permits what isn't needed: {unused:?}");
}

#[test]
fn forbidden_dependencies_are_found() {
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    let faults = |from: &str, source: &str| -> Vec<String> {
        arrows(&path(from), source).iter().filter_map(fault).collect()
    };
    let wrong = [
        ("json::tape", "use crate::model::Usage;"),
        ("model::usage", "use crate::json::RawJson;\nuse crate::{error::Error, stream::StreamOptions};"),
        ("accumulator::builder", "fn f() -> crate::provider::Entry { loop {} }"),
        ("provider::openai_chat::usage", "use crate::provider::anthropic_messages::ENTRY;"),
        ("provider::openai_chat", "use crate::provider::{Event, openai_responses::{self}};"),
        ("provider::openai_chat::usage", "use super::super::anthropic_messages::ENTRY;"),
        ("provider::openai_chat", "fn f() { super::openai_responses::ENTRY; }"),
        ("json", "use super::model::Delta;"),
        ("stream", "pub use crate::wasm::errors;"),
        ("framing", "use crate::{\n    error::Error,\n    accumulator::{Builder, Place},\n};"),
        ("body", "use crate::Error;"),
        ("somewhere", "use crate::json::Value;"),
    ];
    for (from, source) in wrong {
        assert!(!faults(from, source).is_empty(), "{from}: {source}");
    }
    let right = [
        ("json::tape", "use crate::json::parse::parse;\nuse crate::save::state;"),
        ("provider::openai_chat::usage", "use crate::provider::{Event, openai_chat::ENTRY};"),
        (
            "provider::openai_chat::usage",
            "use super::{reader::Reader, super::Event};\nuse super::super::Event;",
        ),
        (
            "provider::detect",
            "use super::{Entry, openai_chat::ENTRY};\nuse crate::provider::openai_chat::ENTRY;",
        ),
        ("json", "/// See [`Delta`](crate::model::Delta).\nuse mycrate::model::Delta;"),
        ("json", "use std::fmt;\n#[cfg(test)]\nmod tests {\n    use crate::model::Delta;\n}"),
        ("wasm::errors", "use crate::stream::StreamAccumulator;\nuse crate::Error;"),
        ("lib", "pub use crate::stream::StreamAccumulator;"),
    ];
    for (from, source) in right {
        assert_eq!(faults(from, source), Vec::<String>::new(), "{from}: {source}");
    }
}

#[test]
fn paths_are_read() {
    let found = read_paths("{a::B, c::{D, e::F}, g}; rest {h}");
    let found: Vec<String> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["a::B", "c::D", "c::e::F", "g"]);
}
