//! The table of searches and of the instructions that they take: read, compared, written.

use std::fmt::Write;
use std::path::Path;

/// The heading of the rows of [`Row::compared_with`].
pub const HEAD: &str = "\
engine  structure           arguments     are     |       runs     values | instructions/run    change | instructions/value    change";

const COMMENT: &str = "\
# Instructions of whole searches, counted by `cargo xtask instructions`, written by `cargo xtask instructions --record`.
# To count another search, add its first four columns.
";

const COLUMNS: &str = "engine\tstructure\targuments\tvalues\truns\tvalid\tinstructions";

/// The searches.
pub struct Table {
    /// The compiler that they were recorded with.
    pub compiler: String,
    pub rows: Vec<Row>,
}

/// A search.
pub struct Row {
    pub engine: String,
    pub structure: String,
    pub arguments: String,
    /// What is done with the values: they are `counted`, or `built` as well.
    pub values: String,
    pub recorded: Option<Counted>,
}

/// The counts of one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    pub runs: u64,
    pub values: u64,
    pub instructions: u64,
}

impl Counted {
    fn per_run(self) -> f64 {
        self.instructions as f64 / self.runs as f64
    }

    fn per_value(self) -> f64 {
        self.instructions as f64 / self.values as f64
    }
}

impl Table {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Table, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Table::parse(&text)
    }

    fn parse(text: &str) -> Result<Table, String> {
        let compiler = text.lines().find_map(|line| line.strip_prefix("# Compiler: ")).unwrap_or("nothing");
        let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        let rows = lines
            .map(|line| Row::parse(line).ok_or_else(|| format!("not a row of instructions.tsv: {line}")));
        Ok(Table { compiler: compiler.to_owned(), rows: rows.collect::<Result<_, _>>()? })
    }

    /// Writes the file.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        std::fs::write(path, self.text()).map_err(|e| format!("{}: {e}", path.display()))
    }

    fn text(&self) -> String {
        let mut text = format!("{COMMENT}# Compiler: {}\n{COLUMNS}\n", self.compiler);
        for row in &self.rows {
            let _ = write!(text, "{}\t{}\t{}\t{}", row.engine, row.structure, row.arguments, row.values);
            if let Some(Counted { runs, values, instructions }) = row.recorded {
                let _ = write!(text, "\t{runs}\t{values}\t{instructions}");
            }
            text.push('\n');
        }
        text
    }
}

impl Row {
    fn parse(line: &str) -> Option<Row> {
        let columns: Vec<&str> = line.split('\t').collect();
        let (search, numbers) = columns.split_at_checked(4)?;
        let [engine, structure, arguments, values] = search else { return None };
        let numbers = numbers.iter().map(|n| n.parse().ok()).collect::<Option<Vec<u64>>>()?;
        let recorded = match numbers[..] {
            [] => None,
            [runs, values, instructions] => Some(Counted { runs, values, instructions }),
            _ => return None,
        };
        let [engine, structure, arguments, values] =
            [engine, structure, arguments, values].map(|column| column.to_string());
        Some(Row { engine, structure, arguments, values, recorded })
    }

    /// Its name in messages and for selection.
    pub fn name(&self) -> String {
        format!("{} {} {} {}", self.engine, self.structure, self.arguments, self.values)
    }

    /// How many more instructions a value takes than when it was recorded, as a fraction. The whole search counts: with
    /// fewer runs, each may take longer.
    pub fn growth(&self, now: Counted) -> Option<f64> {
        self.recorded.map(|then| now.per_value() / then.per_value() - 1.0)
    }

    /// A line of the printed table.
    pub fn compared_with(&self, now: Counted) -> String {
        let change = |growth: Option<f64>| match growth {
            Some(growth) => format!("{:+.2} %", growth * 100.0),
            None => "new".into(),
        };
        let per_run = change(self.recorded.map(|then| now.per_run() / then.per_run() - 1.0));
        let per_value = change(self.growth(now));
        format!(
            "{:<8}{:<20}{:<14}{:<8}| {:>10} {:>10} | {:>16.1} {per_run:>9} | {:>18.1} {per_value:>9}",
            self.engine,
            self.structure,
            self.arguments,
            self.values,
            now.runs,
            now.values,
            now.per_run(),
            now.per_value(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_as_it_was_read() {
        let text = format!(
            "{COMMENT}# Compiler: rustc 1\n{COLUMNS}\nkorat\tdag\t5\tcounted\t4301\t584\t1000\nlazy\tdag\t5\tbuilt\n"
        );
        let table = Table::parse(&text).unwrap();
        assert_eq!((table.rows.len(), &*table.compiler), (2, "rustc 1"));
        assert_eq!(table.rows[0].recorded, Some(Counted { runs: 4301, values: 584, instructions: 1000 }));
        assert_eq!(table.rows[1].recorded, None);
        assert_eq!(table.text(), text);
    }

    #[test]
    fn fewer_but_longer_runs_are_no_growth() {
        let row = Row::parse("lazy\tdag\t5\tcounted\t100\t10\t1000").unwrap();
        let growth = |runs, instructions| row.growth(Counted { runs, values: 10, instructions }).unwrap();
        assert!(growth(10, 900) < 0.0);
        assert!((growth(100, 1200) - 0.2).abs() < 1e-9);
    }
}
