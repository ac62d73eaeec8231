//! The classes of the values: how many values each has, and the first of these.

use crate::criteria::{Class, Classifier, Criterion};
use crate::runner::json::Object;
use crate::session::error::Error;
use smallscope_core::AnySearch;
use smallscope_core::probe::Taken;
use std::collections::HashMap;

/// How many classes are described.
const MOST: usize = 1000;

pub(super) struct Classes {
    /// What the query asked for: a criterion, `class`, or nothing.
    wanted: String,
    by: By,
    /// The numbers of the classes among the rows.
    known: HashMap<Key, usize>,
    rows: Vec<Row>,
    /// How many values were looked at: the first ones.
    pub seen: u64,
    pub is_over: bool,
}

/// What puts two values into the same class.
enum By {
    /// What `#[eq_class]` returns.
    Own,
    /// The decisions of the invariant.
    Decisions(Box<Classifier>, Vec<Taken>),
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Own(String),
    Decisions(Class),
}

struct Row {
    text: String,
    size: u64,
    /// The number of the first value.
    witness: u64,
}

impl Classes {
    /// Chooses what a query asks for. Without a wish, it is what the suite was reduced by, then the type's own classes, then
    /// the decisions of the invariant.
    pub fn by(wanted: &str, reduction: Option<&str>, search: &mut AnySearch) -> Result<Classes, Error> {
        let has_own = matches!(search.class(), Ok(Some(_)));
        let word = match (wanted, reduction.and_then(|reduction| reduction.split(' ').next())) {
            ("", Some(criterion)) => criterion,
            ("", None) if has_own => "class",
            ("", None) => Criterion::Cdc.name(),
            (wanted, _) => wanted,
        };
        let by = match word {
            "class" if has_own => By::Own,
            "class" => {
                return Err(Error::Usage(
                    "the type has no `#[eq_class]`, or it is turned off; choose a criterion, such as `cdc`"
                        .into(),
                ));
            }
            criterion => {
                let criterion = criterion.parse().map_err(Error::Usage)?;
                By::Decisions(Box::new(Classifier::new(criterion).map_err(Error::Usage)?), vec![])
            }
        };
        let (known, rows) = (HashMap::new(), vec![]);
        Ok(Classes { wanted: wanted.to_owned(), by, known, rows, seen: 0, is_over: false })
    }

    /// Whether these are the classes that a query asks for.
    pub fn is_by(&self, wanted: &str) -> bool {
        self.wanted == wanted
    }

    /// Puts the current value of a search into its class.
    pub fn visit(&mut self, search: &mut AnySearch) -> Result<(), Error> {
        self.seen += 1;
        let key = match &mut self.by {
            By::Own => Key::Own(search.class()?.unwrap_or_default()),
            By::Decisions(classifier, trace) => {
                search.decisions(trace)?;
                Key::Decisions(classifier.class(trace))
            }
        };
        if let Some(&row) = self.known.get(&key) {
            self.rows[row].size += 1;
            return Ok(());
        }
        let text = match (&mut self.by, &key) {
            (By::Decisions(classifier, trace), _) => classifier.describe(trace),
            (By::Own, Key::Own(text)) => text.clone(),
            (By::Own, Key::Decisions(_)) => String::new(),
        };
        self.known.insert(key, self.rows.len());
        self.rows.push(Row { text, size: 1, witness: self.seen });
        Ok(())
    }

    pub fn describe(&self) -> String {
        let by = match &self.by {
            By::Own => "class",
            By::Decisions(classifier, _) => classifier.criterion().name(),
        };
        let rows: Vec<String> = self.rows.iter().take(MOST).map(Row::describe).collect();
        let mut out = Object::default();
        out.text("by", by);
        out.raw("seen", self.seen);
        out.raw("end", self.is_over);
        out.raw("count", self.rows.len());
        out.raw("classes", format!("[{}]", rows.join(",")));
        out.close()
    }
}

impl Row {
    fn describe(&self) -> String {
        let mut out = Object::default();
        out.text("text", &self.text);
        out.raw("size", self.size);
        out.raw("witness", self.witness);
        out.close()
    }
}
