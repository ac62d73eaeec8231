//! Suites in other formats.

use crate::forms::{dot, nameable, variant};
use crate::runner::json::{Object, quoted};
use crate::session::error::Error;
use crate::session::files::Provenance;
use crate::session::observer::Observer;
use crate::session::request::{Export, Format};
use crate::session::show::SavedValues;
use crate::session::subject::Subject;
use smallscope_core::AnySearch;
use smallscope_core::search::DrawnField;

/// Prints a suite in another format.
pub(crate) fn export(
    subject: &Subject<'_>,
    export: &Export,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let mut saved = SavedValues::open(subject, &export.file)?;
    let is_one_file = export.to == Format::Rust;
    if is_one_file {
        let type_path = export.type_path.clone().unwrap_or_else(|| nameable(saved.search.type_name()));
        let text = rust_head(subject, &saved, &type_path);
        observer.print(&text).map_err(Error::Output)?;
    }
    let to = export.to;
    saved.for_each(observer, |number, search, observer| {
        let text = match to {
            Format::Jsonl => json_line(number, search),
            Format::Dot => dot(number, &search.drawing()),
            Format::Rust => rust_value(number, search),
            Format::Corpus => format!("{}\n", search.candidate()),
        };
        observer.print(&text).map(|()| true).map_err(Error::Output)
    })?;
    if is_one_file {
        observer.print(RUST_TAIL).map_err(Error::Output)?;
    }
    Ok(())
}

fn json_line(number: u64, search: &AnySearch) -> String {
    let mut out = Object::default();
    out.raw("number", number);
    out.text("candidate", &search.candidate().to_string());
    let nodes = search.drawing().nodes.into_iter().map(|node| {
        let mut fields = Object::default();
        for field in &node.fields {
            fields.raw(if field.name.is_empty() { "value" } else { &field.name }, json_value(field));
        }
        let mut out = Object::default();
        out.text("name", &node.name);
        out.raw("fields", fields.close());
        out.close()
    });
    out.raw("objects", format!("[{}]", nodes.collect::<Vec<_>>().join(",")));
    out.close() + "\n"
}

/// Returns one value as a text, several as an array.
fn json_value(field: &DrawnField) -> String {
    let texts: Vec<String> = field.values.iter().map(|value| quoted(&value.text)).collect();
    match &texts[..] {
        [only] => only.clone(),
        all => format!("[{}]", all.join(",")),
    }
}

fn rust_head(subject: &Subject<'_>, saved: &SavedValues<'_>, type_path: &str) -> String {
    let Provenance { bounds, engine, .. } = &saved.provenance;
    format!(
        "//! Values of `{name}`, saved by `cargo smallscope`: {ending}.\n\
         //!\n\
         //! Put this into the `tests` folder of a crate that has `smallscope` as a dependency and can name the type.\n\
         \n\
         use smallscope::search::{{Candidate, Options, Search}};\n\
         use smallscope::{{Bounds, Engine}};\n\
         \n\
         type Value = {type_path};\n\
         \n\
         /// Every value, rebuilt.\n\
         fn values() -> impl Iterator<Item = Value> {{\n    \
             let bounds: Bounds = {bounds:?}.parse().expect(\"the bounds are as they were saved\");\n    \
             let options = Options {{ engine: Engine::{engine}, ..Options::default() }};\n    \
             let mut search = Search::<Value>::new(&bounds, options).expect(\"the bounds fit the type\");\n    \
             CANDIDATES.iter().map(move |text| {{\n        \
                 let candidate: Candidate = text.parse().expect(\"a candidate is numbers joined by dots\");\n        \
                 search.go_to(&candidate).unwrap_or_else(|e| panic!(\"{{text}}: {{e}}\"));\n        \
                 search.value().unwrap_or_else(|e| panic!(\"{{text}}: {{e}}\"))\n    \
             }})\n\
         }}\n\
         \n\
         #[test]\n\
         fn the_invariant_holds_on_every_saved_value() {{\n    \
             // Building a value checks it with its own invariant.\n    \
             assert_eq!(values().count(), CANDIDATES.len());\n\
         }}\n\
         \n\
         #[rustfmt::skip]\n\
         const CANDIDATES: &[&str] = &[\n",
        name = subject.name,
        ending = saved.ending(),
        bounds = bounds.to_string(),
        engine = variant(*engine),
    )
}

fn rust_value(number: u64, search: &AnySearch) -> String {
    let graph = search.drawing().to_string().replace('\n', "\n    //     ");
    format!("    // {number}: {graph}\n    {:?},\n", search.candidate().to_string())
}

const RUST_TAIL: &str = "];\n";
