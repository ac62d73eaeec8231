//! What the page shows, from the answers of a worker.

use super::graph;
use super::worker::Worker;
use crate::problem::Problem;
use serde_json::{Value, json};
use smallscope_viewer::Rule;
use smallscope_viewer::page::{self, Page};
use smallscope_viewer::plot::{Axis, Chart, Point, Series};
use smallscope_viewer::server::{Answer, Handler};

/// The values of a worker, drawn.
pub(super) struct Pages {
    worker: Worker,
    /// Where fields belong, besides what their names say.
    rules: Vec<Rule>,
}

impl Pages {
    pub(super) fn new(worker: Worker, rules: Vec<Rule>) -> Result<Pages, Problem> {
        // Errors in the bounds and in files are found here, before there is a page.
        worker.ask("info")?;
        Ok(Pages { worker, rules })
    }

    fn info(&self) -> Result<Value, Problem> {
        parsed(&self.worker.ask("info")?)
    }

    /// Returns a value with its drawing, or why there is none. `more` are rules of the page, separated by spaces.
    fn drawn(&self, query: &str, more: &str) -> Result<Value, Problem> {
        let mut rules = self.rules.clone();
        for text in more.split_whitespace() {
            match text.parse() {
                Ok(rule) => rules.push(rule),
                Err(error) => return Ok(json!({ "error": error })),
            }
        }
        let answer = parsed(&self.worker.ask(query)?)?;
        if answer.get("nodes").is_none() {
            return Ok(answer);
        }
        let members = answer.as_object().into_iter().flatten().filter(|(name, _)| *name != "nodes");
        let members: Vec<(&str, String)> =
            members.map(|(name, value)| (name.as_str(), safe(value))).collect();
        parsed(&page::value(&graph::of(&answer), &rules, &members))
    }

    /// Returns numbers of values and candidates by scope, with plots of them.
    fn counts(&self) -> Result<Value, Problem> {
        let mut counts = parsed(&self.worker.ask("counts")?)?;
        let rows = counts["rows"].as_array().cloned().unwrap_or_default();
        let name = counts["number"].as_str().unwrap_or("scope").to_owned();
        let series = |title: &str, key: &str, factor: f64| {
            let points = rows.iter().map(|row| {
                let [x, y] = ["scope", key].map(|key| row[key].as_f64().unwrap_or(0.0));
                Point::new(x, y * factor)
            });
            Series::new(title, points)
        };
        if !rows.is_empty() {
            let numbers =
                Chart::new(format!("Values by {name}"), Axis::linear(&*name), Axis::decimal("number"))
                    .line(series("values", "values", 1.0))
                    .line(series("candidates tried", "candidates", 1.0));
            let times =
                Chart::new(format!("Time by {name}"), Axis::linear(&*name), Axis::decimal("milliseconds"))
                    .line(series("search", "seconds", 1000.0));
            counts["plots"] = json!([numbers.to_svg(), times.to_svg()]);
        }
        Ok(counts)
    }

    /// Returns the page as one file, with how many values it has and how many there are.
    pub(super) fn file(
        &self,
        nonce: &str,
        most: u64,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(String, u64, u64), Problem> {
        let mut values = vec![];
        while (values.len() as u64) < most && !is_stopped() {
            let number = values.len() as u64 + 1;
            let value = self.drawn(&format!("value {number}"), "")?;
            if value.get("pending").is_some() {
                continue;
            }
            if let Some(error) = value["error"].as_str() {
                if number == 1 {
                    return Err(Problem::failed(error));
                }
                break;
            }
            values.push(safe(&value));
        }
        let mut info = self.info()?;
        let (kept, known) = (values.len() as u64, info["known"].as_u64().unwrap_or(0));
        if kept < known {
            info["ending"] = json!(format!("the first {kept} values"));
        }
        info["all"] = json!(true);
        let page = Page { title: title(&info), info: safe(&info), values: Some(values), failure: None };
        Ok((page.html(nonce), kept, known))
    }
}

/// The pages of a server.
pub(super) struct Served<'a> {
    pub(super) pages: &'a Pages,
    pub(super) nonce: &'a str,
}

impl Handler for Served<'_> {
    fn answer(&self, path: &str, parameters: &[(String, String)]) -> Answer {
        let parameter = |name: &str| {
            let given = parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
            // A query is one line.
            given.unwrap_or_default().replace(['\n', '\r'], " ")
        };
        let answer = match path {
            "" => {
                let page = self.pages.info().map(|info| Page {
                    title: title(&info),
                    info: safe(&info),
                    ..Page::default()
                });
                return match page {
                    Ok(page) => Answer::page(page.html(self.nonce)),
                    Err(problem) => Answer::error(500, problem.to_string()),
                };
            }
            "info" => self.pages.info(),
            "value" => self.pages.drawn(&format!("value {}", parameter("n")), &parameter("rules")),
            "counts" => self.pages.counts(),
            "step" => self.pages.drawn(&format!("step {}", parameter("n")), &parameter("rules")),
            "find" => {
                let [from, step, most, filter] = ["from", "step", "most", "filter"].map(parameter);
                self.pages
                    .worker
                    .ask(&format!("find {from} {step} {most} {filter}"))
                    .and_then(|json| parsed(&json))
            }
            _ => return Answer::error(404, "there is no such page"),
        };
        match answer {
            Ok(value) => Answer::json(value.to_string()),
            Err(problem) => Answer::error(500, problem.to_string()),
        }
    }
}

fn title(info: &Value) -> String {
    info["structure"].as_str().unwrap_or("smallscope").to_owned()
}

fn parsed(json: &str) -> Result<Value, Problem> {
    serde_json::from_str(json).map_err(|error| Problem::of_crate(format!("the answer is no JSON: {error}")))
}

/// Returns JSON that can stand in a script: `<` occurs only inside of texts, where it can be escaped.
fn safe(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}
