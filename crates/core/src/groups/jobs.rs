//! Making summaries: one run after the other, until the answers to all observations are there that the invariant needs.

use super::Report;
use super::audit::audit;
use super::evaluation::{Evaluation, Making, set_current};
use super::frame::{Decisions, Missing, Outside, Refused, Reply};
use super::limits::Limits;
use super::log::{self, Step, Words};
use super::store::{ByAnswer, FIRST_CALL, ObservationId, REFUSED};
use super::traces::{End, Next, Traces};
use crate::ask;
use crate::conjuncts::select::Selected;
use crate::conjuncts::{self, Turn};
use crate::invariant::{Structure, Thrown, run_on_part};
use crate::key::OpenKey;
use crate::leaked::leak;
use crate::rules::{GroupId, Guided, NodeTypes, Outline, Population, Rule, Rules};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// What is summarised of an invariant.
#[derive(Clone)]
pub(crate) struct Summary {
    types: Arc<NodeTypes>,
    rules: Arc<Rules>,
    /// What conjuncts run on that are not part of the summary.
    outline: Option<Arc<Outline>>,
    /// The conjuncts that are not part of the summary.
    left_out: Arc<[bool]>,
    pub report: Report,
}

impl Summary {
    /// Lets a search, which has not begun, follow the rules. It evaluates only conjuncts that are not part of the summary.
    pub fn follow(&self, structure: &mut Structure) {
        let (heap, all) = (structure.heap, structure.separable_conjuncts());
        heap.follow(Guided::new(self.types.clone(), self.rules.clone(), self.outline.clone()));
        structure.is_decided = self.report.residual.is_empty();
        if !structure.is_decided {
            structure.selected = Some(Selected::rest_of(heap, &all, false, &|i| self.left_out[i]));
        }
    }

    /// Returns all values that the rules stand for.
    pub fn population(&self) -> Population {
        Population::new(self.rules.clone(), self.types.clone(), self.report.residual.clone())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}

/// What is being found out: the answers to an observation of a group, or the verdicts about all roots.
struct Job {
    /// None for the invariant.
    observed: Option<(GroupId, ObservationId)>,
    node_type: usize,
    rules: Rc<[Rule]>,
    /// Where it is: the rule, and the decisions of the next run.
    at: usize,
    decisions: Decisions,
    found: ByAnswer,
    /// How many runs have read subtrees in place of asking about them.
    reads: usize,
}

/// Why the jobs have ended early.
enum Ended {
    /// Something is left out of the summary from now on: begin again.
    Again,
    /// There is no summary.
    GivenUp(String),
}

/// Runs of a job that may read subtrees, for each rule.
const READS_PER_RULE: usize = 16;

/// Why a summary is given up that meets a limit.
pub(crate) const TOO_MANY: &str = "the summary would take too many";

/// Known runs that are followed, for each rule that is allowed.
const FOLLOWED_PER_RULE: u64 = 4;

/// The answer of the invariant if it holds.
const TRUE: u32 = 1;

/// Summarises the invariant of a structure, on which no search has begun. Returns why not, if that is not possible. The
/// conjuncts run in an order, if one is given.
pub(crate) fn summarise(
    structure: Structure,
    limits: Limits,
    order: Option<&[u32]>,
) -> Result<Summary, String> {
    log::begin();
    let types = Arc::new(NodeTypes::of(structure.heap.layout)?);
    let state = RefCell::new(Making::new(types.clone(), limits));
    let evaluation = leak(Evaluation { heap: structure.heap, state });
    let sites = structure.separable_conjuncts();
    let mut work = Work {
        structure,
        evaluation,
        left_out: vec![false; sites.len()],
        runs: 0,
        followed: 0,
        limits,
        reader: None,
    };
    evaluation.attach();
    let outer = set_current(Some(evaluation));
    let turn = conjuncts::turn();
    let roots = loop {
        match work.pass(order) {
            Ok(roots) => break Ok(roots),
            Err(Ended::Again) => {}
            Err(Ended::GivenUp(why)) => break Err(why),
        }
    };
    let rules = evaluation.state.borrow().store.rule_count();
    let audited = match &roots {
        Ok(_) if limits.audited > 0 => audit(evaluation, limits.audited),
        _ => Ok(0),
    };
    conjuncts::set_turn(turn);
    set_current(outer);
    evaluation.detach();
    // What is leaked is empty then.
    let making = evaluation.state.replace(Making::new(types.clone(), limits));
    let roots = roots?;
    log::note(|| {
        let words = Words::new(evaluation, &making);
        Step::Valid(roots.iter().map(|rule| words.node(0, rule)).collect())
    });
    let mut report = Report { runs: work.runs, rules, audited: audited?, ..Report::default() };
    for call in &making.calls {
        let of = match making.read.contains(&std::ptr::from_ref(call.site)) {
            true => &mut report.read,
            false => &mut report.helpers,
        };
        if !of.contains(&call.site.name) {
            of.push(call.site.name);
        }
    }
    for (site, is_left_out) in sites.iter().zip(&work.left_out) {
        if *is_left_out && !report.residual.contains(&site.text) {
            report.residual.push(site.text);
        }
    }
    for site in structure.inner.iter().flat_map(|inner| &inner.sites) {
        report.residual.push(site.text);
    }
    if !types.is_exact {
        report.residual.push("the bound on the size of the whole value");
    }
    if report.helpers.is_empty() {
        return Err("no helper can be summarised".into());
    }
    let left_out: Arc<[bool]> = work.left_out.into();
    let rules = making.store.freeze(roots);
    let outline = match !report.residual.is_empty() {
        true => Outline::of(&rules, &types).map(Arc::new),
        false => None,
    };
    Ok(Summary { types, rules: Arc::new(rules), outline, left_out, report })
}

/// The work of one summary.
struct Work {
    structure: Structure,
    evaluation: &'static Evaluation,
    /// The conjuncts that are not part of the summary.
    left_out: Vec<bool>,
    runs: u64,
    /// How many runs were not necessary, since their end is known from others.
    followed: u64,
    limits: Limits,
    /// The conjunct that was the last one to read a subtree in place of asking about it.
    reader: Option<u32>,
}

impl Work {
    /// Does all jobs that the invariant needs. Returns the rules of valid roots.
    fn pass(&mut self, order: Option<&[u32]>) -> Result<Vec<Rule>, Ended> {
        let all = self.structure.separable_conjuncts();
        if !all.is_empty() && self.left_out.iter().all(|left_out| *left_out) {
            return Err(Ended::GivenUp("every conjunct compares fields with each other".into()));
        }
        let (heap, left_out) = (self.structure.heap, &self.left_out);
        let mut roots = self.evaluation.state.borrow_mut().store.all_roots();
        let Some(order) = order else {
            let is_chosen = |i: usize| !left_out[i];
            let selected = (!all.is_empty()).then(|| Selected::rest_of(heap, &all, true, &is_chosen));
            return self.valid_roots(roots, selected);
        };
        for &conjunct in order {
            if !self.left_out[conjunct as usize] {
                let selected = Selected::rest_of(heap, &all, true, &|i| i == conjunct as usize);
                roots = self.valid_roots(roots, Some(selected))?;
            }
        }
        Ok(roots)
    }

    /// Finds the roots for which some conjuncts hold.
    fn valid_roots(
        &mut self,
        roots: Vec<Rule>,
        selected: Option<&'static Selected>,
    ) -> Result<Vec<Rule>, Ended> {
        let mut jobs = vec![Job::new(None, 0, roots.into())];
        loop {
            let Some(job) = jobs.last_mut() else { return Ok(vec![]) };
            // The rules of a job count before it is done.
            let is_full = self.evaluation.state.borrow().store.is_full(job.found.rule_count());
            if is_full || self.followed / FOLLOWED_PER_RULE > self.limits.rules as u64 {
                return Err(Ended::GivenUp(format!("{TOO_MANY} rules")));
            }
            if job.at == job.rules.len() {
                let Some(mut job) = jobs.pop() else { return Ok(vec![]) };
                match job.observed {
                    None => return Ok(job.found.take(TRUE)),
                    Some((group, observation)) => {
                        let mut making = self.evaluation.state.borrow_mut();
                        let split = making.store.split(group, observation, job.found);
                        log::note(|| Words::new(self.evaluation, &making).split(group, observation, &split));
                    }
                }
                continue;
            }
            let (result, is_known) = match self.follow(job) {
                Some(result) => (result, true),
                None => (self.run(job, selected)?, false),
            };
            log::note(|| {
                let making = self.evaluation.state.borrow();
                let (of, on) = (job.observed.map(|(_, of)| of), (job.node_type, &job.rules[job.at]));
                Words::new(self.evaluation, &making).run(of, on, &result, is_known)
            });
            match result {
                Ok(answer) => {
                    if job.note(self.evaluation, answer, self.limits) {
                        continue;
                    }
                    // Too many answers or reads: this group is read for this helper.
                    let Some((group, observation)) = job.observed else {
                        return Err(self.leave_out_reader());
                    };
                    self.evaluation.state.borrow_mut().store.leave_unsplit(group, observation);
                    jobs.pop();
                }
                Err(Missing(group, observation)) => {
                    let store = &self.evaluation.state.borrow().store;
                    let (node_type, rules) = (store.node_type(group), store.rules(group));
                    jobs.push(Job::new(Some((group, observation)), node_type, rules));
                }
            }
        }
    }

    fn leave_out_conjunct(&mut self, conjunct: u32) {
        self.left_out[conjunct as usize] = true;
        let text =
            self.structure.separable_conjuncts().iter().nth(conjunct as usize).map_or("", |site| site.text);
        log::note(|| Step::LeftOut(format!("the search runs `{text}` on each candidate")));
    }

    /// Leaves the conjunct out that was the last one to read a subtree.
    fn leave_out_reader(&mut self) -> Ended {
        match self.reader.take() {
            Some(conjunct) => {
                self.leave_out_conjunct(conjunct);
                Ended::Again
            }
            None => Ended::GivenUp("the invariant reads too much of the value itself".into()),
        }
    }

    /// Finds out from earlier runs what the code that a job is about would answer or miss, with the next decisions. None
    /// if it has not been run like that.
    fn follow(&mut self, job: &mut Job) -> Option<Result<u32, Missing>> {
        let (_, observation) = job.observed?;
        let mut making = self.evaluation.state.borrow_mut();
        let Making { store, frame, traces, .. } = &mut *making;
        let mut next = traces.begin((job.node_type, observation))?;
        frame.decisions = std::mem::take(&mut job.decisions);
        frame.begin(store, job.node_type, &job.rules[job.at], None);
        let result = loop {
            let (query, at) = match next {
                Next::Answers(answer) => break Some(Ok(answer)),
                Next::Asks(query, at) => (query, at),
            };
            let answer = match frame.answer(store, query) {
                Ok(Reply::Answer(answer)) => answer,
                Ok(Reply::Missing(missing)) => break Some(Err(missing)),
                Ok(Reply::Refused) => break Some(Ok(REFUSED)),
                // The run will say why.
                Err(Outside) => break None,
            };
            match traces.after(at, answer) {
                Some(then) => next = then,
                None => break None,
            }
        };
        job.decisions = std::mem::take(&mut frame.decisions);
        self.followed += u64::from(result.is_some());
        result
    }

    /// Runs the code that a job is about, with the next decisions.
    fn run(
        &mut self,
        job: &mut Job,
        selected: Option<&'static Selected>,
    ) -> Result<Result<u32, Missing>, Ended> {
        if self.runs == self.limits.runs {
            return Err(Ended::GivenUp(format!("{TOO_MANY} runs")));
        }
        self.runs += 1;
        let result = self.run_once(job, selected);
        if let Some((_, observation)) = job.observed {
            let mut making = self.evaluation.state.borrow_mut();
            let Making { frame, traces, .. } = &mut *making;
            let end = match result {
                Ok(answer) => Some(End::Answers(answer)),
                Err(_) => frame.unanswered.map(End::Asks),
            };
            let of = (job.node_type, observation);
            if !end.is_none_or(|end| traces.note(of, &frame.asked, end)) {
                drop(making);
                return Err(self.leave_out(job, selected));
            }
        }
        match result {
            Ok(answer) => Ok(Ok(answer)),
            Err(thrown) if thrown.is::<Refused>() => Ok(Ok(REFUSED)),
            Err(thrown) => self.missing(job, thrown, selected).map(Err),
        }
    }

    fn run_once(&mut self, job: &mut Job, selected: Option<&'static Selected>) -> Result<u32, Thrown> {
        {
            let mut making = self.evaluation.state.borrow_mut();
            let Making { store, frame, .. } = &mut *making;
            frame.decisions = std::mem::take(&mut job.decisions);
            frame.begin(
                store,
                job.node_type,
                &job.rules[job.at],
                selected.filter(|_| job.observed.is_none()),
            );
        }
        // A panic is reported by the search, if it is one.
        conjuncts::set_turn(Turn::Careful);
        let result = match job.observed {
            None => {
                let (root, promise) = (self.structure.root, self.structure.promise());
                let invariant = || run_on_part(promise, || u32::from(root.rep_ok()));
                match selected {
                    Some(selected) => selected.run(invariant),
                    None => invariant(),
                }
            }
            Some((_, observation)) => {
                let call = (observation - FIRST_CALL) as usize;
                let body = self.evaluation.state.borrow().calls[call].body.clone();
                let object = self.evaluation.first_object(job.node_type);
                run_on_part(ask::NOTHING, || body(object))
            }
        };
        let mut making = self.evaluation.state.borrow_mut();
        if job.observed.is_none() {
            self.reader = making.frame.reader.or(self.reader);
        }
        making.frame.end(self.structure.heap.layout);
        job.decisions = std::mem::take(&mut making.frame.decisions);
        result
    }

    /// What a run has missed. If it has ended for another reason, something is left out of the summary, or all of it.
    fn missing(
        &mut self,
        job: &Job,
        thrown: Thrown,
        selected: Option<&'static Selected>,
    ) -> Result<Missing, Ended> {
        let thrown = match thrown.downcast::<Missing>() {
            Ok(missing) => return Ok(*missing),
            Err(thrown) => thrown,
        };
        let is_outside = thrown.is::<Outside>() || thrown.is::<OpenKey>();
        // What was thrown may have a destructor that panics.
        std::mem::forget(thrown);
        if !is_outside {
            return Err(Ended::GivenUp("it panics, or does not end, without the rest of the value".into()));
        }
        Err(self.leave_out(job, selected))
    }

    /// The code that a job is about is no function of its subtree: the helper is read from now on, or the conjunct is left
    /// out.
    fn leave_out(&mut self, job: &Job, selected: Option<&'static Selected>) -> Ended {
        match (job.observed, selected.and_then(Selected::current)) {
            (Some((_, observation)), _) => {
                let mut making = self.evaluation.state.borrow_mut();
                let site = making.calls[(observation - FIRST_CALL) as usize].site;
                log::note(|| Step::LeftOut(format!("`{}` is read from now on", site.name)));
                making.read.insert(site);
                making.traces = Traces::default();
            }
            (None, Some(conjunct)) => self.leave_out_conjunct(conjunct),
            (None, None) => return Ended::GivenUp("the invariant compares fields with each other".into()),
        }
        Ended::Again
    }
}

impl Job {
    fn new(observed: Option<(GroupId, ObservationId)>, node_type: usize, rules: Rc<[Rule]>) -> Job {
        Job { observed, node_type, rules, at: 0, decisions: vec![], found: ByAnswer::default(), reads: 0 }
    }

    /// Notes the answer of a run, and moves to the next one. False if there are too many
    /// answers, or too many runs that read subtrees.
    fn note(&mut self, evaluation: &Evaluation, answer: u32, limits: Limits) -> bool {
        let mut making = evaluation.state.borrow_mut();
        let Making { store, frame, .. } = &mut *making;
        if answer == TRUE || self.observed.is_some() && answer != REFUSED {
            let rule = frame.harvest_top(store, self.node_type);
            self.found.add(answer, rule);
        }
        frame.decisions = std::mem::take(&mut self.decisions);
        if frame.advance() {
            self.decisions = std::mem::take(&mut frame.decisions);
        } else {
            self.at += 1;
        }
        self.reads += usize::from(frame.has_opened);
        self.reads <= READS_PER_RULE * self.rules.len() + limits.reads && self.found.len() <= limits.answers
    }
}
