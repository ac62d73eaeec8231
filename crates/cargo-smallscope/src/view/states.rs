//! The page of a graph of states, from the answers of a worker.

use super::served::{Parameters, Subject, parsed, safe};
use super::worker::Worker;
use crate::problem::Problem;
use serde_json::{Value as Json, json};
use smallscope_viewer::page::Page;
use smallscope_viewer::{Field, Graph, Node, Value, svg};

/// How many states before the current one are drawn.
const MOST_BEFORE: usize = 4;
/// How many states behind the current one are drawn.
const MOST_BEHIND: usize = 10;

/// The states of a worker, drawn.
pub(super) struct States(Worker);

impl States {
    pub(super) fn new(worker: Worker) -> Result<States, Problem> {
        // Errors in the context are found here, before there is a page.
        worker.ask("info")?;
        Ok(States(worker))
    }

    fn ask(&self, query: &str) -> Result<Json, Problem> {
        parsed(&self.0.ask(query)?)
    }

    /// Returns a state with a drawing of what is around it.
    fn drawn(&self, query: &str) -> Result<Json, Problem> {
        let mut state = self.ask(query)?;
        if state.get("state").is_some() {
            state["svg"] = json!(svg(&around(&state)));
        }
        Ok(state)
    }
}

impl Subject for States {
    fn things(&self) -> &'static str {
        "states"
    }

    fn page(&self) -> Result<Page, Problem> {
        let info = self.ask("info")?;
        Ok(Page { title: title(&info), info: safe(&info), ..Page::default() })
    }

    fn answer(&self, path: &str, parameters: &Parameters<'_>) -> Option<Result<Json, Problem>> {
        Some(match path {
            "info" | "explore" => self.ask(path),
            "state" => self.drawn(&format!("state {}", parameters.get("n"))),
            "path" => self.drawn(&format!("path {}", parameters.get("calls"))),
            _ => return None,
        })
    }

    fn file(&self, most: u64, is_stopped: &dyn Fn() -> bool) -> Result<(Page, u64, u64), Problem> {
        let mut info = self.ask("info")?;
        while info["all"] != true && info["known"].as_u64() < Some(most) && !is_stopped() {
            info = self.ask("explore")?;
            if let Some(error) = info["error"].as_str() {
                return Err(Problem::failed(error));
            }
        }
        let known = info["known"].as_u64().unwrap_or(0);
        let mut states = vec![];
        while (states.len() as u64) < most.min(known) && !is_stopped() {
            states.push(safe(&self.drawn(&format!("state {}", states.len()))?));
        }
        let kept = states.len() as u64;
        info = self.ask("info")?;
        let (title, known) = (title(&info), info["known"].as_u64().unwrap_or(known));
        Ok((Page { title, info: safe(&info), values: Some(states), failure: None }, kept, known))
    }
}

fn title(info: &Json) -> String {
    info["structure"].as_str().unwrap_or("states").to_owned()
}

/// A state, those on the way to it, and those that calls lead to from it.
fn around(answer: &Json) -> Graph {
    let list = |name: &str| answer[name].as_array().map_or(&[][..], Vec::as_slice);
    let current = answer["state"].as_u64().unwrap_or(0);
    let on_path: Vec<u64> = list("on_path").iter().filter_map(Json::as_u64).collect();
    let values = |state: u64| {
        let known = list("states").iter().find(|known| known["state"] == state);
        let pairs = known.and_then(|known| known["values"].as_array()).map_or(&[][..], Vec::as_slice);
        let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
        let fields = pairs.iter().map(|pair| plain(&text(&pair[0]), &text(&pair[1])));
        [plain("id", &state.to_string())].into_iter().chain(fields).collect::<Vec<Field>>()
    };
    let mut nodes: Vec<(u64, Vec<Field>)> = vec![];
    let first = on_path.len().saturating_sub(MOST_BEFORE + 1);
    for (i, pair) in on_path.windows(2).enumerate().skip(first) {
        let mut fields = values(pair[0]);
        let call = list("path").get(i).and_then(Json::as_str).unwrap_or_default();
        fields.push(Field { name: call.to_owned(), values: vec![link(pair[1])], ..Field::default() });
        nodes.push((pair[0], fields));
    }
    let behind = behind(list("calls"), current);
    let drawn = behind.len().min(MOST_BEHIND);
    let mut fields = values(current);
    if drawn > 0 {
        let links = behind[..drawn].iter().map(|(to, _)| link(*to)).collect();
        fields.push(Field { name: "calls".to_owned(), values: links, ..Field::default() });
    }
    if behind.len() > drawn {
        fields.push(plain("not drawn", &format!("{} states", behind.len() - drawn)));
    }
    nodes.push((current, fields));
    for (to, calls) in behind.into_iter().take(drawn) {
        if nodes.iter().all(|(known, _)| *known != to) {
            let more = if calls.len() > 1 { format!(" and {} more", calls.len() - 1) } else { String::new() };
            let mut fields = vec![plain("by", &format!("{}{more}", calls[0]))];
            fields.extend(values(to));
            nodes.push((to, fields));
        }
    }
    let node = |(state, fields)| Node { name: name(state), object: None, fields };
    Graph { nodes: nodes.into_iter().map(node).collect(), last_read: None }
}

/// The other states that calls lead to, each with these calls, in the order of the calls.
fn behind(made: &[Json], current: u64) -> Vec<(u64, Vec<&str>)> {
    let mut behind: Vec<(u64, Vec<&str>)> = vec![];
    for made in made {
        let (Some(to), Some(call)) = (made["to"].as_u64(), made["call"].as_str()) else { continue };
        match behind.iter_mut().find(|(known, _)| *known == to) {
            Some((_, calls)) => calls.push(call),
            None if to != current => behind.push((to, vec![call])),
            None => {}
        }
    }
    behind
}

fn name(state: u64) -> String {
    format!("State#{state}")
}

fn plain(name: &str, text: &str) -> Field {
    let value = Value { text: text.to_owned(), ..Value::default() };
    Field { name: name.to_owned(), values: vec![value], ..Field::default() }
}

fn link(to: u64) -> Value {
    Value { text: name(to), is_link: true, links: vec![name(to)], pool: None }
}
