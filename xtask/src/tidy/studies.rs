//! Rules for what is not part of the product: the reference shares no search code, the brute force of generated programs
//! shares no code at all, and the catalogue has its tests outside.

use super::sources::Sources;

pub fn problems(sources: &Sources) -> Vec<String> {
    let mut problems = vec![];
    for source in sources.rust_in("testing/reference/src/") {
        let is_comparison = source.name.contains("/compare") || source.name.ends_with("lib.rs");
        if !is_comparison && source.text.contains("Search") {
            problems.push(format!("{}: the reference shares no search code", source.name));
        }
    }
    for source in sources.rust_in("testing/sources/plain/") {
        let mut code = source.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        if code.any(|line| line.contains("smallscope")) {
            problems.push(format!("{}: the brute force shares no code with smallscope", source.name));
        }
    }
    for source in sources.rust_in("studies/catalogue/src/") {
        if source.text.contains("#[cfg(test)]") {
            problems.push(format!(
                "{}: the library is built without tests (`test = false`), put them into studies/catalogue/tests",
                source.name
            ));
        }
    }
    problems
}
