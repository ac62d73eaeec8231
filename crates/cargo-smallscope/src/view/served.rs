//! What a page is about, and how its server and its file are made of that.

use crate::problem::Problem;
use serde_json::Value;
use smallscope_viewer::page::Page;
use smallscope_viewer::server::{Answer, Handler};

/// Values, a graph of states, or a report.
pub(super) trait Subject: Sync {
    /// What there are many of: `values`.
    fn things(&self) -> &'static str;

    /// Returns the page, which asks for what it shows.
    fn page(&self) -> Result<Page, Problem>;

    /// Answers a request of the page; none if there is no such request.
    fn answer(&self, path: &str, parameters: &Parameters<'_>) -> Option<Result<Value, Problem>>;

    /// Returns the page with everything in it, how many values or states it has, and how many there are.
    fn file(&self, most: u64, is_stopped: &dyn Fn() -> bool) -> Result<(Page, u64, u64), Problem>;
}

/// The parameters of a request.
pub(super) struct Parameters<'a>(&'a [(String, String)]);

impl Parameters<'_> {
    /// Returns a parameter as one line, since a query is one; empty if it is not given.
    pub(super) fn get(&self, name: &str) -> String {
        let given = self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        given.unwrap_or_default().replace(['\n', '\r'], " ")
    }
}

/// A subject on a server.
pub(super) struct Served<'a> {
    pub(super) subject: &'a dyn Subject,
    pub(super) nonce: &'a str,
}

impl Handler for Served<'_> {
    fn answer(&self, path: &str, parameters: &[(String, String)]) -> Answer {
        if path.is_empty() {
            return match self.subject.page() {
                Ok(page) => Answer::page(page.html(self.nonce)),
                Err(problem) => Answer::error(500, problem.to_string()),
            };
        }
        match self.subject.answer(path, &Parameters(parameters)) {
            Some(Ok(value)) => Answer::json(value.to_string()),
            Some(Err(problem)) => Answer::error(500, problem.to_string()),
            None => Answer::error(404, "there is no such page"),
        }
    }
}

pub(super) fn parsed(json: &str) -> Result<Value, Problem> {
    serde_json::from_str(json).map_err(|error| Problem::of_crate(format!("the answer is no JSON: {error}")))
}

/// Returns JSON that can stand in a script: `<` occurs only inside of texts, where it can be escaped.
pub(super) fn safe(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}
