//! Mutants in shards: each runs some of the mutants, and the merge prints what one run would print.
//!
//! The plan has the mutants and the run on the original, so all shards have the same limits. A shard is a pure function of the
//! plan and the test binary, except that a mutant that does not end is stopped by a clock.

use super::cli::MutateArgs;
use super::{
    Judged, Limits, Pool, Results, compare, conclude, judge, limits, pool, print, select, subject::Subject,
    with_mutants,
};
use crate::cli::PlaceArgs;
use crate::console::Console;
use crate::problem::{FILE, INTERRUPTED, Problem};
use crate::shard::cli::PlanFileArgs;
use crate::target::Target;
use crate::user_tests::Test;
use serde_json::Value;
use smallscope::search::Position;
use smallscope_runner::session::shard::{
    self, Done, Header, PART, PassCounts, Place, Plan, Record, State, Written, check_new, fingerprint,
    fingerprint_of,
};
use smallscope_runner::session::{Error, ListedMutant, MutantAnswer, OriginalRun, ShardRun};
use smallscope_support::memory::Bytes;
use std::path::Path;
use std::time::Duration;

/// Runs the test on the original, and writes a plan that divides its mutants.
pub(crate) fn plan(
    args: &MutateArgs,
    (parts, file, force): (usize, &Path, bool),
    place: &PlaceArgs,
) -> Result<u8, Problem> {
    check_new(parts, file, force)?;
    let subject = Subject::find(&args.test, None, None, &with_mutants(place))?;
    let mut console = Console::new(false);
    let pool = pool(&subject, args, &console)?;
    let Some((original, listed, elapsed)) = pool.original()? else { return Ok(INTERRUPTED) };
    let listed = select(&subject, &original, listed, args, None)?;
    let plan = divide(&pool, &original, &listed, &limits(args, &original, elapsed), args.matrix, parts)?;
    plan.save(file)?;
    let fewer = if plan.parts() < parts { "; there are no more mutants" } else { "" };
    let shards = if plan.parts() == 1 { "1 shard".to_owned() } else { format!("{} shards", plan.parts()) };
    console.line(&format!("{}: {shards} of {} mutants{fewer}", file.display(), listed.len()))?;
    console.finish()?;
    Ok(0)
}

fn divide(
    pool: &Pool<'_>,
    original: &OriginalRun,
    listed: &[ListedMutant],
    limits: &Limits,
    matrix: bool,
    parts: usize,
) -> Result<Plan, Problem> {
    let Some(Test { package, binary, mark }) = pool.subject.test() else {
        return Err(Problem::usage("only the mutants of a test of your crate can be divided"));
    };
    let mut records = MutantAnswer::Original(original.clone()).to_line() + "\n";
    for mutant in listed {
        records += &(MutantAnswer::Listed(mutant.clone()).to_line() + "\n");
    }
    let identity = Header::new()
        .with("structure", mark.harness_name())
        .with("package", &package.name)
        .with("crate", mark.crate_name())
        .with("file", &mark.file)
        .with("kind", "mutants")
        .with("keep", "no")
        .with("binary", fingerprint_of(binary)?)
        .with("bounds", &original.bound)
        .with("request", &pool.request)
        .with("memory", pool.memory.0.to_string())
        .with("steps", limits.steps.to_string())
        .with("microseconds", limits.time.as_micros().to_string())
        .with("matrix", matrix.to_string())
        .with("mutants", fingerprint(records.as_bytes()));
    let parts = parts.min(listed.len()).max(1);
    let starts = (0..parts).map(|part| match part * listed.len() / parts {
        0 => Place { pass: 0, position: Position::START },
        first => Place { pass: 0, position: Position(vec![first as u32]) },
    });
    Ok(Plan {
        identity,
        starts: starts.collect(),
        total: listed.len() as f64,
        runs: 0,
        program: Some((binary.clone(), package.directory().to_owned())),
        end: None,
        levels: vec![],
        records,
    })
}

/// What a plan divides.
struct Divided {
    original: OriginalRun,
    listed: Vec<ListedMutant>,
    limits: Limits,
    memory: Bytes,
    request: String,
    is_matrix: bool,
}

impl Divided {
    fn of(plan: &Plan, file: &Path) -> Result<Divided, Problem> {
        let damaged = || {
            Problem::file(format!(
                "{}: the plan is not one of mutants, or is damaged; make it again",
                file.display()
            ))
        };
        let (mut original, mut listed) = (None, vec![]);
        for line in plan.records.lines() {
            match MutantAnswer::from_line(line) {
                Ok(MutantAnswer::Original(run)) => original = Some(run),
                Ok(MutantAnswer::Listed(mutant)) => listed.push(mutant),
                _ => return Err(damaged()),
            }
        }
        let number = |key: &str| plan.identity.get(key)?.parse::<u64>().ok();
        let is_whole = plan.identity.get("mutants") == Some(&fingerprint(plan.records.as_bytes()));
        let numbers = number("steps").zip(number("microseconds")).zip(number("memory"));
        match (original.filter(|_| is_whole), numbers, plan.identity.get("request")) {
            (Some(original), Some(((steps, micros), memory)), Some(request)) => Ok(Divided {
                original,
                listed,
                limits: Limits { steps, time: Duration::from_micros(micros) },
                memory: Bytes(memory),
                request: request.to_owned(),
                is_matrix: plan.identity.get("matrix") == Some("true"),
            }),
            _ => Err(damaged()),
        }
    }

    /// The mutants of a shard.
    fn range(&self, record: &Record) -> &[ListedMutant] {
        let at = |place: &Place| place.position.0.first().map_or(0, |first| *first as usize);
        let end = record.range.1.as_ref().map_or(self.listed.len(), at);
        &self.listed[at(&record.range.0).min(end)..end.min(self.listed.len())]
    }

    fn pool<'a>(&self, subject: &'a Subject, console: &Console) -> Pool<'a> {
        let request = self.request.clone();
        Pool { subject, request, memory: self.memory, threads: 1, stop: console.stop.clone() }
    }
}

/// The test of a plan, in the build that has made the plan.
fn test_of(file: &Path, plan: &Plan, place: &PlaceArgs) -> Result<Subject, Problem> {
    let Target::Test(test) = Target::of_plan(file, plan, &with_mutants(place))? else {
        return Err(Problem::file(format!("{}: the plan is not of a test; make it again", file.display())));
    };
    if plan.identity.get("binary") != Some(&fingerprint_of(&test.binary)?) {
        return Err(Problem::file(format!(
            "{}: another build of the test has made this plan, so its shards could mean something else; run the shards with that \
             build, or make the plan again",
            file.display()
        )));
    }
    Ok(Subject::Test(test))
}

/// Runs shards.
pub(crate) fn run(plan: &Plan, request: &ShardRun, place: &PlaceArgs) -> Result<u8, Problem> {
    let divided = Divided::of(plan, &request.plan)?;
    let test = test_of(&request.plan, plan, place)?;
    let mut console = Console::new(false);
    let pool = divided.pool(&test, &console);
    let matrix = divided.is_matrix.then_some(&divided.original);
    let mut problem = None;
    let result = shard::each(plan, request, &mut console, |number, observer| {
        let Some(mut record) = Record::new(plan, number, Done::Whole) else {
            return Err(Error::Usage(format!("the plan has no shard {number}")));
        };
        let mutants = divided.range(&record);
        let judged =
            pool.each(mutants, observer, |place, mutant| judge(place, mutant, &divided.limits, matrix));
        let judged = judged.map_err(|found| {
            problem = Some(found);
            Error::Usage(format!("shard {number} of {}", plan.parts()))
        })?;
        let Some(judged) = judged else {
            record.done = Done::Stopped("interrupted".to_owned());
            return Ok(Written::from(record));
        };
        let explored = judged.iter().filter_map(|judged| judged.row.as_ref()).map(|row| row.tried).sum();
        record.passes = vec![PassCounts { pass: 0, explored, valid: judged.len() as u64, pruned: 0 }];
        let lines: Vec<String> = judged.iter().map(|judged| print::of_judged(judged).to_string()).collect();
        record.notes = record.notes.with(PART, lines.join("\n"));
        Ok(Written::from(record))
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    result?;
    console.finish()?;
    Ok(if pool.stop.is_asked() { INTERRUPTED } else { 0 })
}

/// Merges shards, and prints what one run would print.
pub(crate) fn merge(
    args: &PlanFileArgs,
    plan: &Plan,
    place: &PlaceArgs,
    json: bool,
    mut console: Console,
) -> Result<u8, Problem> {
    let stop = console.stop.clone();
    let collected = shard::collect(plan, &args.directory(), &|| stop.is_asked())?;
    let divided = Divided::of(plan, &args.plan)?;
    let name = plan.identity.get("structure").unwrap_or_default();
    if collected.state != State::Exhausted {
        let answer = shard::answer(plan, &collected);
        console.line(&match json {
            true => answer.json,
            false => format!(
                "`{name}`: not all mutants were run: {} of {} shards are done{}",
                collected.records.len(),
                plan.parts(),
                shard::named_flaws(&collected)
            ),
        })?;
        console.finish()?;
        return Ok(FILE);
    }
    let mut judged: Vec<Judged> = vec![];
    for record in &collected.records {
        let mutants = divided.range(record);
        let lines = record.notes.get(PART).unwrap_or_default().lines();
        let read = |(mutant, line): (&ListedMutant, &str)| {
            let value: Value = serde_json::from_str(line).ok()?;
            print::read_judged(mutant.clone(), &value).filter(|_| value["id"] == mutant.id)
        };
        let before = judged.len();
        judged.extend(mutants.iter().zip(lines).map_while(read));
        if judged.len() - before != mutants.len() {
            return Err(Problem::file(format!(
                "shard {}: it does not have the mutants that the plan says; remove it, and run it again",
                record.number
            )));
        }
    }
    let matrix = match divided.is_matrix {
        false => None,
        true => {
            let test = test_of(&args.plan, plan, place)?;
            match compare(&divided.pool(&test, &console), &divided.original, &judged)? {
                None => return Ok(INTERRUPTED),
                some => some,
            }
        }
    };
    let results =
        Results { test: name.to_owned(), is_calls: false, original: divided.original, judged, matrix };
    conclude(&results, &MutateArgs { json, ..MutateArgs::default() }, console)
}
