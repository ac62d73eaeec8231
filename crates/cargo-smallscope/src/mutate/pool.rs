//! Processes of a test binary that run mutants, several at once.

use super::matrix::Row;
use super::subject::Subject;
use super::verdict::{Death, Verdict};
use super::worker::{Heard, Worker};
use crate::problem::Problem;
use crate::signals::Stop;
use smallscope_runner::session::{
    ListedMutant, MutantQuery, Numbers, Observer, OriginalRun, RunMutant, RunRow, Status,
};
use smallscope_support::memory::Bytes;
use smallscope_support::ordered::{self, Pieces};
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

/// How often it is checked whether the user has stopped the run.
const TICK: Duration = Duration::from_millis(50);
/// After so many values that end the process, the rest of a row is not tried.
const DEATHS: usize = 32;

/// When a mutant is given up.
pub(crate) struct Limits {
    pub(crate) steps: u64,
    pub(crate) time: Duration,
}

/// A test or an operation, and the processes that run it.
pub(crate) struct Pool<'a> {
    pub(crate) subject: &'a Subject,
    pub(crate) request: String,
    pub(crate) memory: Bytes,
    pub(crate) threads: usize,
    pub(crate) stop: Arc<Stop>,
}

impl Pool<'_> {
    fn start(&self) -> Result<Worker, Problem> {
        Worker::start(self.subject, &self.request, self.memory)
    }

    /// Runs the test on the original. Returns nothing if the user has stopped it.
    pub(crate) fn original(&self) -> Result<Option<(OriginalRun, Vec<ListedMutant>, Duration)>, Problem> {
        let mut worker = self.start()?;
        let begin = Instant::now();
        worker.ask(&MutantQuery::Original(()));
        let mut listed = vec![];
        loop {
            match worker.hear(TICK) {
                Heard::Nothing if self.stop.is_asked() => return Ok(None),
                Heard::Listed(mutant) => {
                    let equivalent = self.subject.reason(&mutant);
                    listed.push(ListedMutant { equivalent, ..mutant });
                }
                Heard::Original(original) => return Ok(Some((original, listed, begin.elapsed()))),
                Heard::Refused(problem) => return Err(problem),
                Heard::End(death) => return Err(self.silent(death)),
                _ => {}
            }
        }
    }

    /// Asks for something else than mutants. Hands each answer to `take`, up to the last one. Whether the user let it end.
    pub(crate) fn ask(&self, query: &MutantQuery, mut take: impl FnMut(Heard)) -> Result<bool, Problem> {
        let mut worker = self.start()?;
        worker.ask(query);
        loop {
            match worker.hear(TICK) {
                Heard::Nothing if self.stop.is_asked() => return Ok(false),
                Heard::Nothing => {}
                Heard::Last => return Ok(true),
                Heard::Refused(problem) => return Err(problem),
                Heard::End(death) => return Err(self.silent(death)),
                heard => take(heard),
            }
        }
    }

    fn silent(&self, death: Death) -> Problem {
        let name = self.subject.name();
        Problem::of_crate(format!("`{name}` did not answer on the original: its process {death}"))
    }

    /// Does something with each mutant. Returns nothing if the user has stopped it.
    pub(crate) fn each<R: Send>(
        &self,
        mutants: &[ListedMutant],
        observer: &mut dyn Observer,
        judge: impl Fn(&mut Workplace<'_>, &ListedMutant) -> Result<R, Problem> + Sync,
    ) -> Result<Option<Vec<R>>, Problem> {
        let (begin, stop) = (Instant::now(), &self.stop);
        let pieces = Pieces::new(usize::MAX);
        pieces.add(ordered::Numbers { range: 0..mutants.len() as u64, piece: 1 });
        pieces.seal();
        let work = || {
            let is_stopped = || stop.is_asked();
            let mut place = Workplace { pool: self, kept: None, is_stopped: &is_stopped };
            while let Some(piece) = pieces.next(|| {}) {
                let judged = judge(&mut place, &mutants[piece.work.range.start as usize]);
                piece.hand_over(0, judged);
            }
        };
        let mut all = vec![];
        std::thread::scope(|scope| {
            for _ in 0..self.threads.min(mutants.len()) {
                scope.spawn(work);
            }
            while all.len() < mutants.len() && !stop.is_asked() {
                match pieces.result() {
                    Poll::Ready(Some(judged)) => all.push(judged),
                    Poll::Ready(None) => break,
                    Poll::Pending => {}
                }
                observer.working(&Status {
                    text: format!("{} of {} mutants", all.len(), mutants.len()),
                    elapsed: begin.elapsed(),
                    fraction: Some(all.len() as f64 / mutants.len() as f64),
                });
            }
            pieces.stop();
        });
        if stop.is_asked() {
            return Ok(None);
        }
        all.into_iter().collect::<Result<Vec<_>, _>>().map(Some)
    }
}

/// Where a thread runs mutants: in a process that is kept for the next one.
pub(crate) struct Workplace<'a> {
    pool: &'a Pool<'a>,
    kept: Option<Worker>,
    is_stopped: &'a dyn Fn() -> bool,
}

impl Workplace<'_> {
    /// Runs the test on a mutant up to the first value on which it fails.
    pub(crate) fn first_kill(&mut self, mutant: &ListedMutant, limits: &Limits) -> Result<Verdict, Problem> {
        let query = |tells_values| {
            let id = mutant.id.clone();
            MutantQuery::Mutant(RunMutant { id, step_limit: limits.steps, tells_values })
        };
        let death = match self.attempt(&query(false), limits)? {
            (_, Ok(Answer::Verdict(verdict))) => return Ok(verdict),
            (_, Ok(Answer::Row(..))) => {
                return Err(Problem::of_crate("the test binary answers something else"));
            }
            (_, Err(death)) => death,
        };
        // Once more, to know the value.
        Ok(match self.attempt(&query(true), limits)? {
            (told, Err(again)) => Verdict::died(again, told.value, Some(told.number)),
            _ => Verdict::died(death, None, None),
        })
    }

    /// Runs the test on a mutant and every value.
    pub(crate) fn row(&mut self, mutant: &ListedMutant, limits: &Limits) -> Result<Row, Problem> {
        let (mut kills, mut from) = (Numbers::default(), 1);
        for death in 0..=DEATHS {
            // Values are told once it is known that one of them ends the process.
            let query = |tells_values| {
                let (id, step_limit) = (mutant.id.clone(), limits.steps);
                MutantQuery::Row(RunRow { id, step_limit, from, tells_values })
            };
            let mut attempt = self.attempt(&query(death > 0), limits)?;
            if death == 0 && attempt.1.is_err() {
                attempt = self.attempt(&query(true), limits)?;
            }
            let (told, end) = attempt;
            if let Ok(Answer::Row(row)) = end {
                row.kills.iter().for_each(|number| kills.push(number));
                return Ok(Row { kills, ..row });
            }
            told.kills.iter().for_each(|number| kills.push(number));
            if told.number < from {
                // It ended before the first value, so no value is to blame.
                let problem =
                    Some(end.err().map_or("no answer".to_owned(), |death| format!("the process {death}")));
                return Ok(Row { kills, tried: from - 1, problem });
            }
            if !told.kills.contains(told.number) {
                kills.push(told.number);
            }
            from = told.number + 1;
        }
        let problem = Some(format!("{} values ended the process, so the rest was not tried", DEATHS + 1));
        Ok(Row { kills, tried: from - 1, problem })
    }

    /// Asks, and waits for the answer. An error is the end of the process.
    fn attempt(
        &mut self,
        query: &MutantQuery,
        limits: &Limits,
    ) -> Result<(Told, Result<Answer, Death>), Problem> {
        let mut worker = match self.kept.take() {
            Some(worker) => worker,
            None => self.pool.start()?,
        };
        worker.ask(query);
        let (mut begin, mut told) = (Instant::now(), Told::default());
        loop {
            let answer = match worker.hear(TICK) {
                Heard::Nothing if (self.is_stopped)() || begin.elapsed() > limits.time => {
                    return Ok((told, Err(Death::Endless)));
                }
                Heard::Value(value) => {
                    (told.number, told.value) = (value.number, Some(value.value));
                    continue;
                }
                Heard::At(at) => {
                    if at.is_kill {
                        told.kills.push(at.number);
                    }
                    (begin, told.number) = (Instant::now(), at.number);
                    continue;
                }
                Heard::Mutant(run) => Answer::Verdict(Verdict::of_run(run)),
                Heard::Row(row) => Answer::Row(Row::of_run(row)),
                Heard::Refused(problem) => return Err(problem),
                Heard::End(death) => return Ok((told, Err(death))),
                _ => continue,
            };
            self.kept = Some(worker);
            return Ok((told, Ok(answer)));
        }
    }
}

/// What a process has said before it answered or ended.
#[derive(Default)]
struct Told {
    /// The last value.
    value: Option<String>,
    /// Its number.
    number: u64,
    /// The values on which the test failed.
    kills: Numbers,
}

enum Answer {
    Verdict(Verdict),
    Row(Row),
}
