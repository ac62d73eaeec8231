//! The text of a file with mutants: a line for every alternative, so that messages of the compiler identify those that do not
//! compile.

/// The beginning of arms with the original code, by which they are found in the text.
pub const ORIGINAL: &str = "0u32 ..= 4294967295u32";

/// The beginning of functions, by which they are found in the text.
const FUNCTION: &str = "const FUNCTION : & str =";

/// The text with a separate line for every alternative, so that messages of the compiler identify it.
pub fn with_lines(text: &str) -> String {
    let mut lines =
        text.replace(ORIGINAL, &format!("\n{ORIGINAL}")).replace(FUNCTION, &format!("\n{FUNCTION}"));
    lines = lines.replace("if crate :: mutation :: active", "\nif crate :: mutation :: active");
    let mut out = String::with_capacity(lines.len());
    // Only numbers are written with their type.
    for word in lines.split_inclusive(' ') {
        let is_number = word.trim_end().strip_suffix("u32").is_some_and(|n| n.parse::<u32>().is_ok());
        if is_number && !word.starts_with("0u32") && !out.ends_with("!= ") && !out.ends_with("..= ") {
            out.push('\n');
        }
        out.push_str(word);
    }
    out
}

/// The contents of a line of a text with mutants: the candidate whose alternative it is, if any, and the function.
pub fn place(text: &str, line: usize) -> (Option<u32>, Option<String>) {
    let lines: Vec<&str> = text.lines().take(line).collect();
    let number = lines.last().and_then(|line| line.split_once(' ')).and_then(|(word, rest)| {
        let number = word.strip_suffix("u32")?.parse::<u32>().ok()?;
        rest.starts_with("=>").then_some(number)
    });
    let function = lines.iter().rev().find_map(|line| {
        let name = line.strip_prefix(FUNCTION)?.trim_start().strip_prefix('"')?;
        name.split('"').next().map(str::to_owned)
    });
    (number, function)
}
