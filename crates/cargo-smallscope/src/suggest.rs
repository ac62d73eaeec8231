//! Suggestions for misspelt names.

/// The largest number of suggestions.
const MOST: usize = 4;

/// Returns the names that are near to one that does not exist, nearest first.
pub(crate) fn near<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = simplified(name);
    let distance = |candidate: &str| {
        let candidate = simplified(candidate);
        let last = candidate.rsplit("::").next().unwrap_or_default();
        let contained = !name.is_empty() && candidate.contains(&name);
        let best = strsim::jaro_winkler(&name, &candidate).max(strsim::jaro_winkler(&name, last));
        if contained { best.max(0.95) } else { best }
    };
    let mut scored: Vec<(f64, &str)> = names.into_iter().map(|n| (distance(n), n)).collect();
    scored.retain(|(score, _)| *score > 0.8);
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    scored.truncate(MOST);
    scored.into_iter().map(|(_, name)| name).collect()
}

/// Returns the name in lower case, with its words joined by dashes.
fn simplified(name: &str) -> String {
    name.to_lowercase().replace(['_', ' '], "-")
}

/// Joins names: "`a`", "`a` or `b`", "`a`, `b` or `c`".
pub(crate) fn alternatives(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match &quoted[..] {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] =
        ["avl-tree", "search-tree", "search-tree-value", "sorted-list", "tests::insert_keeps_the_order"];

    #[test]
    fn misspelt_names_are_recognised() {
        assert_eq!(near("serch-tree", NAMES)[0], "search-tree");
        assert_eq!(near("SearchTree", NAMES)[0], "search-tree");
        assert_eq!(near("search_tree", NAMES)[0], "search-tree");
        assert_eq!(near("list", NAMES), ["sorted-list"]);
        assert_eq!(near("insert_keeps_order", NAMES), ["tests::insert_keeps_the_order"]);
        assert!(near("zzz", NAMES).is_empty());
    }

    #[test]
    fn alternatives_read_as_a_sentence() {
        assert_eq!(alternatives(&["a"]), "`a`");
        assert_eq!(alternatives(&["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
