//! Finds the cases: the directories `tests/fixtures/<api>/<case>/`.

use std::fs;
use std::path::{Path, PathBuf};

use respool::model::Api;
use respool::provider::PROVIDERS;

use super::expected::Expected;

/// Returns the interfaces that have a directory of fixtures.
pub(crate) fn apis() -> impl Iterator<Item = Api> {
    let messages = PROVIDERS.iter().map(|entry| entry.api);
    messages.chain([Api::OpenaiEmbeddings, Api::OpenaiImages])
}

/// One response as a body, as the events of a stream, or both, and the expected result.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) api: Api,
    pub(crate) body: Option<String>,
    pub(crate) events: Option<Vec<String>>,
    pub(crate) expected: Expected,
}

/// Returns the directory of the fixtures.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Returns all cases, sorted by name.
pub(crate) fn all() -> Vec<Case> {
    apis()
        .flat_map(|api| entries(&root().join(api.as_str())).into_iter().map(move |dir| read(api, &dir)))
        .collect()
}

/// Returns the entries of a directory, sorted.
pub(crate) fn entries(directory: &Path) -> Vec<PathBuf> {
    let list = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> = list.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn read(api: Api, directory: &Path) -> Case {
    let name = format!("{}/{}", api.as_str(), directory.file_name().unwrap().to_string_lossy());
    let text = |file: &str| fs::read_to_string(directory.join(file)).ok();
    let expected = text("expected.json").unwrap_or_else(|| panic!("{name} has no expected.json"));
    let events = text("events.jsonl").map(|lines| lines.lines().map(str::to_owned).collect());
    let case = Case {
        api,
        body: text("body.json"),
        events,
        expected: serde_json::from_str(&expected).unwrap_or_else(|error| panic!("{name}: {error}")),
        name,
    };
    assert!(case.body.is_some() || case.events.is_some(), "{} has neither a body nor events", case.name);
    case
}
