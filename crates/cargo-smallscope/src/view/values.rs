//! The page of values, from the answers of a worker.

use super::graph;
use super::served::{Parameters, Subject, parsed, safe};
use super::worker::Worker;
use crate::problem::Problem;
use serde_json::{Value, json};
use smallscope_viewer::Rule;
use smallscope_viewer::page::{self, Page};
use smallscope_viewer::plot::{Axis, Chart, Plot, Point, Series, Table};
use std::time::{Duration, Instant};

/// How long the classes of a file may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// How many values are answered at once.
const MOST_AT_ONCE: usize = 64;

/// The values of a worker, drawn.
pub(super) struct Values {
    worker: Worker,
    /// Where fields belong, besides what their names say.
    rules: Vec<Rule>,
}

impl Values {
    pub(super) fn new(worker: Worker, rules: Vec<Rule>) -> Result<Values, Problem> {
        // Errors in the bounds and in files are found here, before there is a page.
        worker.ask("info")?;
        Ok(Values { worker, rules })
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
            Series::new(title, points).with_dots()
        };
        if !rows.is_empty() {
            let numbers =
                Chart::new(format!("Values by {name}"), Axis::linear(&*name), Axis::decimal("number"))
                    .line(series("values", "values", 1.0))
                    .line(series("candidates tried", "candidates", 1.0));
            let times =
                Chart::new(format!("Time by {name}"), Axis::linear(&*name), Axis::decimal("milliseconds"))
                    .line(series("search", "seconds", 1000.0));
            let head = [&*name, "values", "candidates", "milliseconds"];
            let table = rows.iter().fold(Table::new("Numbers", head), |table, row| {
                let milliseconds = format!("{:.1}", 1000.0 * row["seconds"].as_f64().unwrap_or(0.0));
                let counts = ["scope", "values", "candidates"].map(|key| grouped(&row[key].to_string()));
                table.row(counts.into_iter().chain([milliseconds]))
            });
            counts["plots"] = json!([numbers.to_figure(), times.to_figure(), table.to_figure()]);
        }
        Ok(counts)
    }

    /// Returns the classes of all values, if they are found in time.
    fn classes(&self) -> Option<Value> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let classes = parsed(&self.worker.ask("classes ").ok()?).ok()?;
            if classes["end"] == true {
                return Some(classes);
            }
            classes.get("classes")?;
        }
        None
    }
}

impl Subject for Values {
    fn things(&self) -> &'static str {
        "values"
    }

    fn page(&self) -> Result<Page, Problem> {
        self.info().map(|info| Page { title: title(&info), info: safe(&info), ..Page::default() })
    }

    fn answer(&self, path: &str, parameters: &Parameters<'_>) -> Option<Result<Value, Problem>> {
        let of = |name: &str| parameters.get(name);
        let ask = |query: String| self.worker.ask(&query).and_then(|json| parsed(&json));
        Some(match path {
            "info" => self.info(),
            "value" => {
                let reads = if of("reads").is_empty() { "" } else { " reads" };
                self.drawn(&format!("value {}{reads}", of("n")), &of("rules"))
            }
            "values" => {
                let reads = if of("reads").is_empty() { "" } else { " reads" };
                let numbers = of("n");
                let numbers = numbers.split_whitespace().take(MOST_AT_ONCE);
                let values: Result<Vec<Value>, Problem> =
                    numbers.map(|n| self.drawn(&format!("value {n}{reads}"), &of("rules"))).collect();
                values.map(|values| json!({ "values": values }))
            }
            "step" => self.drawn(&format!("step {}", of("n")), &of("rules")),
            "summary" => self.drawn(&format!("summary {}", of("n")), &of("rules")),
            "counts" => self.counts(),
            "classes" => ask(format!("classes {}", of("by"))),
            "find" => ask(format!("find {} {} {} {}", of("from"), of("step"), of("most"), of("filter"))),
            _ => return None,
        })
    }

    fn file(&self, most: u64, is_stopped: &dyn Fn() -> bool) -> Result<(Page, u64, u64), Problem> {
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
        if let Some(classes) = self.classes().filter(|classes| classes["seen"] == json!(kept)) {
            info["classes"] = classes;
        }
        let page = Page { title: title(&info), info: safe(&info), values: Some(values), failure: None };
        Ok((page, kept, known))
    }
}

fn title(info: &Value) -> String {
    info["structure"].as_str().unwrap_or("smallscope").to_owned()
}

/// Writes the digits of a number in groups of three.
fn grouped(digits: &str) -> String {
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    let groups = groups.into_iter().map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}
