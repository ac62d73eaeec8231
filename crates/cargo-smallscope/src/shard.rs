//! Commands about shards: plan, run, merge, status.

pub(crate) mod cli;
mod simulate;

use crate::cli::PlaceArgs;
use crate::commands::{Ended, conclude};
use crate::console::Console;
use crate::mutate::cli::MutateArgs;
use crate::mutate::shards;
use crate::problem::{FILE, Problem, note};
use crate::target::Target;
use cli::{MergeArgs, PlanArgs, PlanFileArgs, RunArgs, ShardArgs, ShardCommand, StatusArgs};
use smallscope_runner::environment;
use smallscope_runner::session::sequences::{Ask, Divide, Merge};
use smallscope_runner::session::shard::{self, Flaw, Plan, State};
use smallscope_runner::session::{Answer, Numbers, Request, ShardMerge, ShardPlan, ShardRun};
use smallscope_runner::settings::Settings;
use std::path::Path;

/// Performs a command, and returns the exit code.
pub(crate) fn perform(args: &ShardArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    match &args.command {
        ShardCommand::Plan(args) => plan(args, place),
        ShardCommand::Run(args) => run(args, place),
        ShardCommand::Merge(args) => merge(args, place),
        ShardCommand::Status(args) => status(args),
        ShardCommand::Simulate(args) => simulate::simulate(args),
    }
}

fn plan(args: &PlanArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    if args.mutants {
        return plan_mutants(args, place);
    }
    let target = Target::to_divide(&args.structure, place)?;
    if target.is_sequences() {
        return plan_sequences(args, &target);
    }
    if args.sequences.settings != Settings::default() {
        return Err(Problem::usage(format!(
            "`{}` is about values, and options such as `--length` and `--strategy` are about call sequences; leave them out",
            args.structure
        )));
    }
    let mut space = target.space(&args.bounds, None)?;
    space.settings.classes = args.classes;
    space.settings.threads = args.planning.settings.threads;
    let only = args.values_only || args.keep_values || args.classes.is_some();
    let request = Request::ShardPlan(ShardPlan {
        space,
        parts: args.parts,
        keep_values: args.keep_values,
        test: !only && matches!(target, Target::Test(_)),
        plan: target.path(&args.plan)?,
        force: args.force,
    });
    finish(&target, &request)
}

fn plan_mutants(args: &PlanArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    if args.bounds.args.is_some() || args.sequences.settings != Settings::default() {
        return Err(Problem::usage(
            "`--mutants` is about a test on values: give `--scope N` or `--size N`, or nothing for the bounds of the test",
        ));
    }
    let mut test = MutateArgs { test: args.structure.clone(), matrix: args.matrix, ..MutateArgs::default() };
    test.bounds.settings = args.bounds.given.settings.clone();
    shards::plan(&test, (args.parts, &args.plan, args.force), place)
}

fn plan_sequences(args: &PlanArgs, target: &Target) -> Result<u8, Problem> {
    let is_about_values = args.bounds.given.settings != Settings::default()
        || args.bounds.args.is_some()
        || args.keep_values
        || args.values_only
        || args.classes.is_some();
    if is_about_values {
        return Err(Problem::usage(format!(
            "`{}` is a test of call sequences, and options such as `--scope` and `--keep-values` are about values; leave them \
             out",
            args.structure
        )));
    }
    let request = Ask::ShardPlan(Divide {
        settings: args.sequences.settings.clone(),
        parts: args.parts,
        plan: target.path(&args.plan)?,
        force: args.force,
    });
    let mut console = Console::new(false);
    let ended = target.perform_line(&request.to_line(), &mut console)?;
    conclude(ended, console, false)
}

fn run(args: &RunArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let plan = Plan::load(&args.plan.plan)?;
    let numbers = match args.shard.as_deref() {
        None => format!("1-{}", plan.parts()),
        Some("auto") => environment::shard_of_process(false).map_err(Problem::usage)?.to_string(),
        Some(text) => text.to_owned(),
    };
    // Mistakes are found before anything is built.
    shard::numbers(&numbers, plan.parts())?;
    let (settings, force) = (args.limits.settings.clone(), args.force);
    if plan.is_mutants() {
        if settings != Settings::default() {
            return Err(Problem::usage(
                "the limits of mutants are those of the plan; leave `--budget` and `--memory` out",
            ));
        }
        let (plan_file, directory) = (args.plan.plan.clone(), args.plan.directory());
        let request = ShardRun { plan: plan_file, numbers, directory, force, settings };
        return shards::run(&plan, &request, place);
    }
    let target = Target::of_plan(&args.plan.plan, &plan, place)?;
    let request = ShardRun {
        plan: target.path(&args.plan.plan)?,
        numbers,
        directory: target.path(&args.plan.directory())?,
        force,
        settings,
    };
    if plan.is_sequences() {
        let mut console = Console::new(false);
        let ended = target.perform_line(&Ask::ShardRun(request).to_line(), &mut console)?;
        return conclude(ended, console, false);
    }
    finish(&target, &Request::ShardRun(request))
}

fn finish(target: &Target, request: &Request) -> Result<u8, Problem> {
    let mut console = Console::new(false);
    let ended = target.perform(request, &mut console)?;
    conclude(ended, console, false)
}

fn merge(args: &MergeArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let plan = Plan::load(&args.plan.plan)?;
    let mut console = Console::new(false);
    let what = if plan.is_sequences() { "call sequences" } else { "mutants" };
    if args.save.is_some() && (plan.is_sequences() || plan.is_mutants()) {
        return Err(Problem::usage(format!(
            "`--save` is about values, and this plan is of {what}; leave it out"
        )));
    }
    if plan.is_sequences() {
        let answer = merge_sequences(&args.plan, &plan, place, &mut console)?;
        return conclude_merge(answer, console, args.json);
    }
    if let Some(save) = &args.save {
        let target = Target::of_plan(&args.plan.plan, &plan, place)?;
        let request = Request::ShardMerge(ShardMerge {
            plan: target.path(&args.plan.plan)?,
            directory: target.path(&args.plan.directory())?,
            save: Some(target.path(save)?),
            force: args.force,
        });
        let ended = target.perform(&request, &mut console)?;
        return conclude(ended, console, args.json);
    }
    merge_in_order(&args.plan, &plan, place, console, args.json)
}

/// Merges the shards of a plan that are not of call sequences, and returns the exit code.
pub(crate) fn merge_in_order(
    args: &PlanFileArgs,
    plan: &Plan,
    place: &PlaceArgs,
    mut console: Console,
    json: bool,
) -> Result<u8, Problem> {
    if plan.is_mutants() {
        return shards::merge(args, plan, place, json, console);
    }
    let stop = console.stop.clone();
    let collected = shard::collect(plan, &args.directory(), &|| stop.is_asked())?;
    let answer = match shard::may_have_fewer(plan, &collected) {
        false => shard::answer(plan, &collected),
        true => match fewer(args, plan, place, &mut console) {
            Ok(answer) => answer,
            Err(problem) => {
                note(&format!(
                    "a value with fewer objects was not looked for, because the test was not run: {problem}"
                ));
                shard::answer(plan, &collected)
            }
        },
    };
    conclude_merge(answer, console, json)
}

/// Looks for a value with fewer objects than the one on which a test has failed, in its binary.
fn fewer(
    args: &PlanFileArgs,
    plan: &Plan,
    place: &PlaceArgs,
    console: &mut Console,
) -> Result<Answer, Problem> {
    let target = Target::of_plan(&args.plan, plan, place)?;
    let (plan, directory) = (target.path(&args.plan)?, target.path(&args.directory())?);
    let request = Request::ShardMerge(ShardMerge { plan, directory, save: None, force: false });
    match target.perform(&request, console)? {
        Ended::Answer(answer) => Ok(answer),
        Ended::Done => Err(Problem::file("the test binary has ended without an answer")),
    }
}

/// The outcome of a merge that has added shards to the plan.
pub(crate) const CONTINUES: &str = "continues";

/// Merges the shards of a test of call sequences, in its binary.
pub(crate) fn merge_sequences(
    args: &PlanFileArgs,
    plan: &Plan,
    place: &PlaceArgs,
    console: &mut Console,
) -> Result<Answer, Problem> {
    let target = Target::of_plan(&args.plan, plan, place)?;
    let request =
        Ask::ShardMerge(Merge { plan: target.path(&args.plan)?, directory: target.path(&args.directory())? });
    match target.perform_line(&request.to_line(), console)? {
        Ended::Answer(answer) => Ok(answer),
        Ended::Done => Err(Problem::file("the test binary has ended without an answer")),
    }
}

/// Prints what the shards of a plan amount to, and returns the exit code.
pub(crate) fn conclude_merge(answer: Answer, console: Console, json: bool) -> Result<u8, Problem> {
    let is_incomplete = matches!(answer.outcome.as_str(), "incomplete" | CONTINUES);
    let code = conclude(Ended::Answer(answer), console, json)?;
    Ok(if is_incomplete { FILE } else { code })
}

fn status(args: &StatusArgs) -> Result<u8, Problem> {
    let plan = Plan::load(&args.plan.plan)?;
    let mut console = Console::new(false);
    let stop = console.stop.clone();
    let collected = shard::collect(&plan, &args.plan.directory(), &|| stop.is_asked())?;
    let text = match args.json {
        true => shard::answer(&plan, &collected).json,
        false => describe(&plan, &collected, &args.plan.directory()),
    };
    console.line(&text)?;
    console.finish()?;
    Ok(0)
}

/// Says how many shards are done, which are not, and what is wrong with others.
fn describe(plan: &Plan, collected: &shard::Collected, directory: &Path) -> String {
    let (mut missing, mut others) = (vec![], vec![]);
    for flaw in &collected.flaws {
        match flaw {
            Flaw::Missing(number) => missing.push(*number),
            other => others.push(format!("\n  {other}")),
        }
    }
    let sums = collected.sums();
    let work = match (plan.is_sequences(), plan.levels.len()) {
        _ if plan.is_mutants() => format!("{} mutants", sums.valid),
        (false, _) => format!("{} candidates, {} values", sums.explored, sums.valid),
        (true, 0) => format!("{} sequences", sums.valid),
        (true, level) => format!("{} calls, in sequences of up to {level}", sums.explored),
    };
    let mut text = format!(
        "{} of {} shards are done in {}: {work}",
        collected.records.len(),
        plan.parts(),
        directory.display(),
    );
    if let State::Failed { number, .. } = collected.state {
        text += &format!("\nshard {number} has failed: `shard merge` shows the failure");
    }
    if !missing.is_empty() {
        text += &format!("\nmissing: {}", ranges(&missing));
    }
    text + &others.concat()
}

/// Writes rising numbers as ranges, as `--shard` reads them.
pub(crate) fn ranges(numbers: &[usize]) -> String {
    numbers.iter().map(|number| *number as u64).collect::<Numbers>().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_shards_are_named_as_options_name_them() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!(ranges(&[]), "");
        let numbers = shard::numbers("1-3,7,9-10", 12).unwrap();
        assert_eq!(numbers, [1, 2, 3, 7, 9, 10]);
    }
}
