//! How many calls there are, and how many tests.

use super::{Answer, Subject};
use crate::runner::json::Object;

/// Of numbers with more digits, only the number of digits is printed.
const MAX_DIGITS: usize = 80;

pub(super) fn count(subject: &Subject<'_>, length: Option<u32>) -> Answer {
    let context = &subject.context;
    let length = length.map(|length| length as usize).or(subject.campaign.length);
    let methods: Vec<(&str, u64)> =
        context.methods().map(|name| (name, context.calls_of(name).unwrap_or(0))).collect();
    let width = methods.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let digits = methods.iter().map(|(_, calls)| calls.to_string().len()).max().unwrap_or(0);
    let mut text =
        format!("{}: {} distinct calls of {} methods\n", subject.name, context.calls(), methods.len());
    for (name, calls) in &methods {
        text += &format!("  {name:width$}  {calls:>digits$}\n");
    }
    let mut json = Object::default();
    json.text("test", subject.name);
    json.raw("distinct_calls", context.calls());
    let mut of_methods = Object::default();
    for (name, calls) in &methods {
        of_methods.raw(name, calls);
    }
    json.raw("methods", of_methods.close());
    if let Some(length) = length {
        let tests = context.tests(length).to_string();
        text += &match tests.len() {
            ..=MAX_DIGITS => format!("tests of length {length}: {tests}"),
            digits => format!("tests of length {length}: a number of {digits} digits"),
        };
        json.raw("length", length);
        json.text("tests", &tests);
    }
    Answer { text: text.trim_end().to_owned(), json: json.close(), outcome: "done".to_owned() }
}
