//! The published figures, as data.

use std::collections::BTreeMap;

/// A published figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// The table or figure of the paper, as in the id of an experiment.
    pub table: &'static str,
    /// The row.
    pub row: &'static str,
    /// The column.
    pub column: &'static str,
    /// What is printed there. Thousands are not separated, and the decimal sign is a point.
    pub value: &'static str,
    /// Where it stands.
    pub place: &'static str,
}

/// A paper or a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The first part of the ids of its experiments.
    pub id: &'static str,
    /// Authors, title, venue.
    pub title: &'static str,
    data: &'static str,
}

/// The papers, in the order of their ids.
pub static SOURCES: [Source; 7] = [
    Source {
        id: "000",
        title: "Aguirre, Bengolea, Frias, Galeotti: Incorporating Coverage Criteria in Bounded Exhaustive Black Box Test \
                Generation of Structural Inputs (TAP 2011)",
        data: include_str!("../data/000.tsv"),
    },
    Source {
        id: "001",
        title: "Bengolea, Aguirre, Marinov, Frias: RepOK-Based Reduction of Bounded-Exhaustive Testing (STVR)",
        data: include_str!("../data/001.tsv"),
    },
    Source {
        id: "002",
        title: "Visser, Păsăreanu, Pelánek: Test Input Generation for Red-Black Trees using Abstraction (ASE 2005)",
        data: include_str!("../data/002.tsv"),
    },
    Source {
        id: "003",
        title: "Milicevic, Misailovic, Marinov, Khurshid: Korat: A Tool for Generating Structurally Complex Test Inputs \
                (ICSE 2007)",
        data: include_str!("../data/003.tsv"),
    },
    Source {
        id: "004",
        title: "Andrews, Zhang, Groce: Comparing Automated Unit Testing Strategies (2010)",
        data: include_str!("../data/004.tsv"),
    },
    Source {
        id: "beapi",
        title: "BEAPI: bounded-exhaustive generation from the API (FASE 2023)",
        data: include_str!("../data/beapi.tsv"),
    },
    Source {
        id: "etna",
        title: "ETNA: an evaluation platform for property-based testing (ICFP 2023)",
        data: include_str!("../data/etna.tsv"),
    },
];

impl Source {
    /// The source of an experiment.
    ///
    /// # Panics
    ///
    /// If there is none with this id.
    pub fn of(experiment: &str) -> &'static Source {
        let id = experiment.split('/').next().unwrap_or_default();
        SOURCES.iter().find(|source| source.id == id).expect("ids begin with a source")
    }

    /// The figures of one of its tables.
    pub fn figures(&self, table: &str) -> Vec<Figure> {
        self.lines().filter(|figure| figure.table == table).collect()
    }

    fn lines(&self) -> impl Iterator<Item = Figure> {
        self.data.lines().skip(1).map(|line| {
            let columns: Vec<&'static str> = line.split('\t').collect();
            let &[table, row, column, value, place] = &columns[..] else { panic!("five columns: {line}") };
            Figure { table, row, column, value, place }
        })
    }
}

/// The published figures of one table: by row, in the order of the paper, and by column.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The rows.
    pub rows: Vec<&'static str>,
    /// Where the figures stand.
    pub place: &'static str,
    cells: BTreeMap<(&'static str, &'static str), &'static str>,
}

impl Table {
    /// The table that an experiment computes again.
    pub fn of(experiment: &str) -> Table {
        let table = experiment.split_once('/').map_or("", |(_, table)| table);
        let mut found = Table::default();
        for figure in Source::of(experiment).figures(table) {
            if !found.rows.contains(&figure.row) {
                found.rows.push(figure.row);
            }
            found.place = figure.place;
            found.cells.insert((figure.row, figure.column), figure.value);
        }
        found
    }

    /// A figure.
    pub fn get(&self, row: &str, column: &str) -> Option<&'static str> {
        self.cells.get(&(row, column)).copied()
    }

    /// A figure that is a number.
    pub fn number(&self, row: &str, column: &str) -> Option<f64> {
        self.get(row, column)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_a_place_and_stands_once() {
        for source in &SOURCES {
            let mut seen = std::collections::BTreeSet::new();
            for figure in source.lines() {
                let Figure { table, row, column, value, place } = figure;
                assert!(
                    [table, row, column, value, place].iter().all(|text| !text.trim().is_empty()),
                    "{figure:?}"
                );
                assert!(seen.insert((table, row, column)), "{}: {table}, {row}, {column}", source.id);
            }
        }
    }
}
