//! The fuzzer's checks, run on its findings and on the fixtures. See fuzz/.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]
#![allow(clippy::pedantic, reason = "fuzz/ is a crate of its own")]

use std::fs;
use std::path::{Path, PathBuf};

#[path = "../fuzz/src/checks/mod.rs"]
#[allow(unreachable_pub, reason = "it is public in its own crate")]
mod checks;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The findings are in `tests/fixtures/fuzzed/<check>/<description>`.
#[test]
fn findings_stay_fixed() {
    let found = files(&fixtures().join("fuzzed"));
    assert!(!found.is_empty());
    for path in found {
        let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let check = checks::ALL.iter().find(|(name, _)| *name == folder);
        let (_, check) = check.unwrap_or_else(|| panic!("{}: unknown check", path.display()));
        println!("{}", path.display());
        check(&fs::read(&path).unwrap());
    }
}

#[test]
fn every_check_holds_for_every_fixture() {
    let fixtures: Vec<_> = files(&fixtures())
        .into_iter()
        .filter(|path| !path.starts_with(self::fixtures().join("fuzzed")))
        .collect();
    assert!(fixtures.len() > 50);
    for path in fixtures {
        let data = fs::read(&path).unwrap();
        // Checking every cut of a long file takes too long.
        let data = &data[..data.len().min(1000)];
        println!("{}", path.display());
        for (_, check) in checks::ALL {
            check(data);
        }
    }
}
