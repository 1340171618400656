use super::*;

#[test]
fn each_name_is_found_at_any_position() {
    for (at, name) in NAMES.iter().enumerate() {
        let id = at as NameId + 1;
        assert_eq!((find_name(name), id_of(name)), (id, id), "{name}");
        let around = format!("{{\"{name}\": 1}}");
        assert_eq!(find(around.as_bytes(), 2, 2 + name.len()), id, "{name}");
    }
    assert!(NAMES.len() < VALUE as usize);
}

#[test]
fn names_that_are_nearly_known_are_unknown() {
    for name in NAMES {
        let upper = name.to_uppercase();
        let longer = format!("{name}s");
        let shorter = name.get(1..).unwrap();
        let middle = name.len() / 2;
        let other = format!("{}~{}", &name[..middle], &name[middle + 1..]);
        for near in [&*upper, &longer, shorter, &other] {
            assert_eq!(find_name(near) == UNKNOWN, !NAMES.contains(&near), "{near}");
        }
    }
    assert_eq!(find_name(""), UNKNOWN);
}
