//! How summaries of helpers are made, step by step, and then the search that follows them.

use super::steps::Steps;
use super::value::list;
use crate::runner::json::{Object, quoted};
use crate::session::error::Error;
use crate::session::files::Provenance;
use crate::session::subject::Subject;
use smallscope_core::groups::{Group, Known, Limits, Node, Step, logged, with_limits};
use smallscope_core::{Engine, Summaries};
use smallscope_support::panics::catch;
use std::ops::ControlFlow;

/// How many steps can be looked at.
const MOST: usize = 20_000;

/// How many runs the summaries may take.
const RUNS: u64 = 200_000;

/// How many rules of valid roots are drawn.
const MOST_ROOTS: usize = 24;

pub(super) struct Summarised {
    making: Vec<Step>,
    /// The search that follows the rules; none if it has to be looked at without them.
    search: Steps,
}

impl Summarised {
    pub fn new(subject: &Subject<'_>, provenance: &Provenance) -> Result<Summarised, Error> {
        if provenance.engine != Engine::Lazy {
            return Err(Error::Usage("summaries are for the engine `lazy`".to_owned()));
        }
        let provenance = Provenance { disjoint: false, summaries: Summaries::On, ..provenance.clone() };
        let mut planned = subject.search(&provenance)?;
        let limits = Limits { runs: RUNS, ..Limits::default() };
        let (plan, making) = logged(MOST, || {
            catch(|| with_limits(limits, || planned.plan(&mut |_| ControlFlow::Continue(()))))
        });
        let plan = plan.map_err(|caught| Error::panic(&caught))?;
        let why_not = match plan.as_ref().ok().and_then(Option::as_ref).map(|plan| plan.summaries()) {
            Some(Some(Ok(_))) => None,
            Some(Some(Err(why))) => Some(why.to_owned()),
            _ => Some("arguments and disjoint parts are not summarised".to_owned()),
        };
        if let Some(why) = why_not {
            return Err(Error::Usage(format!("there are no summaries: {why}")));
        }
        let search = Steps::new(subject.search(&provenance)?, subject.search(&provenance)?, None);
        Ok(Summarised { making, search })
    }

    pub fn describe(&mut self, number: u64) -> Result<String, Error> {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1)).unwrap_or(0);
        match self.making.get(index) {
            Some(step) => Ok(self.step(index, step)),
            None => self.search.describe_behind(self.making.len(), number - self.making.len() as u64),
        }
    }

    fn step(&self, index: usize, step: &Step) -> String {
        let mut out = Object::default();
        out.raw("number", index + 1);
        // The search behind has at least one candidate, or an end.
        out.raw("known", self.making.len() + 1);
        out.raw("all", false);
        out.raw("making", self.making.len());
        let nodes = match step {
            Step::Run { code, node, asked, end, is_known } => {
                let code = code.as_deref().unwrap_or("the invariant");
                let on = node.name.as_deref().unwrap_or("the value");
                out.text("title", &format!("{code} on {on}"));
                let asked = asked.iter().map(|(question, answer)| pair(question, answer));
                out.raw("asked", list(asked));
                out.text("end", end);
                let why = match is_known {
                    true => "It does not run: with these answers, an earlier run has shown how it ends.",
                    false => "One run, for all values that this node with its groups stands for.",
                };
                out.text("why", why);
                top(node, 0)
            }
            Step::Split { code, whole, parts } => {
                out.text("title", &format!("group {} by {code}", whole.number));
                out.raw("asked", list(parts.iter().map(|(answer, part)| pair(answer, &words(part)))));
                out.text("end", &format!("{} of {}", groups(parts.len()), words(whole)));
                let why = "From now on, this question about the group is answered without a run: by choosing a part.";
                out.text("why", why);
                let mut links: Vec<String> = facts(whole);
                links.extend(parts.iter().map(|(answer, part)| field(answer, &name(part), true)));
                let mut nodes = vec![node(&name(whole), &links)];
                nodes.extend(parts.iter().map(|(_, part)| group(part)));
                nodes
            }
            Step::LeftOut(why) => {
                out.text("title", "what cannot be answered for groups");
                out.text("end", why);
                out.text(
                    "why",
                    "It compares keys, looks beyond its subtree, or reads too much. Everything begins again.",
                );
                vec![]
            }
            Step::Valid(roots) => {
                out.text("title", "the result");
                let s = if roots.len() == 1 { "" } else { "s" };
                out.text("end", &format!("{} rule{s} for valid values", roots.len()));
                let why = "The search chooses one of these rules for the value, and one of its group for each object.";
                out.text("why", why);
                let mut nodes: Vec<String> = vec![];
                for (i, root) in roots.iter().take(MOST_ROOTS).enumerate() {
                    for node in top(root, i) {
                        if !nodes.contains(&node) {
                            nodes.push(node);
                        }
                    }
                }
                nodes
            }
        };
        out.raw("nodes", list(nodes.into_iter()));
        out.close()
    }
}

fn pair(question: &str, answer: &str) -> String {
    format!("[{},{}]", quoted(question), quoted(answer))
}

fn groups(count: usize) -> String {
    if count == 1 { "1 part".to_owned() } else { format!("{count} parts") }
}

/// A group in words.
fn words(group: &Group) -> String {
    let Group { number, objects, rules, .. } = group;
    let (o, r) = (if *objects == 1 { "" } else { "s" }, if *rules == 1 { "" } else { "s" });
    format!("group {number} ({objects} object{o}, {rules} rule{r})")
}

fn name(group: &Group) -> String {
    format!("group#{}", group.number)
}

/// A node with the groups that it leads to.
fn top(of: &Node, index: usize) -> Vec<String> {
    let mut fields = vec![];
    let mut nodes = vec![];
    for (field_name, known) in &of.fields {
        match known {
            Known::Nothing => fields.push(field(field_name, "?", false)),
            Known::Text(text) => fields.push(field(field_name, text, false)),
            Known::Group(inside) => {
                fields.push(field(field_name, &name(inside), true));
                let inside = group(inside);
                if !nodes.contains(&inside) {
                    nodes.push(inside);
                }
            }
        }
    }
    let name = match &of.name {
        Some(name) => format!("{name}#{index}"),
        None if index == 0 => "value".to_owned(),
        None => format!("value {}", index + 1),
    };
    nodes.insert(0, node(&name, &fields));
    nodes
}

fn group(of: &Group) -> String {
    node(&name(of), &facts(of))
}

fn facts(of: &Group) -> Vec<String> {
    let mut fields = vec![
        field("group", &of.number.to_string(), false),
        field("type", &of.name, false),
        field("objects", &of.objects.to_string(), false),
        field("rules", &of.rules.to_string(), false),
    ];
    fields.extend(of.known.iter().rev().map(|(question, answer)| field(question, answer, false)));
    fields
}

fn node(name: &str, fields: &[String]) -> String {
    let mut out = Object::default();
    out.text("name", name);
    out.raw("fields", list(fields.iter().cloned()));
    out.close()
}

fn field(name: &str, text: &str, is_link: bool) -> String {
    let mut value = Object::default();
    value.text("text", text);
    if is_link {
        value.raw("is_link", true);
        value.raw("links", list([quoted(text)].into_iter()));
    }
    let mut out = Object::default();
    out.text("name", name);
    out.raw("values", list([value.close()].into_iter()));
    out.close()
}
