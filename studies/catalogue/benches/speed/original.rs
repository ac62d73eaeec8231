//! The measurements of the original tool: `original.tsv`.

/// A structure, arguments, and the original's measurements.
pub struct Row {
    /// A row of the short benchmark.
    pub is_quick: bool,
    pub structure: &'static str,
    /// The arguments with commas between them.
    pub arguments: &'static str,
    pub candidates: u64,
    pub valid: u64,
    pub seconds: f64,
}

impl Row {
    /// The arguments as numbers.
    pub fn args(&self) -> Vec<i64> {
        self.arguments.split(',').map(number).collect()
    }
}

/// All rows.
pub fn rows() -> Vec<Row> {
    let lines = include_str!("../original.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(row).collect()
}

fn row(line: &'static str) -> Row {
    let columns: Vec<&str> = line.split('\t').collect();
    let [scope, structure, arguments, candidates, valid, seconds] = columns[..] else {
        panic!("original.tsv has six columns, but not here: {line}")
    };
    Row {
        is_quick: scope == "quick",
        structure,
        arguments,
        candidates: number(candidates),
        valid: number(valid),
        seconds: number(seconds),
    }
}

fn number<N: std::str::FromStr>(text: &str) -> N {
    text.parse().unwrap_or_else(|_| panic!("original.tsv has `{text}` where a number should be"))
}
