//! `reproduce`: the tables and figures of the papers, computed again.

use crate::problem::{FAILED, INTERRUPTED, Problem, note};
use crate::signals::Stop;
use crate::suggest;
use clap::{Args, ValueHint};
use smallscope_experiments::compare::{Compared, Mark, compare};
use smallscope_experiments::experiment::{Experiment, Work};
use smallscope_experiments::run::{Event, Limits, Summary, run};
use smallscope_experiments::{experiments, report, results, table};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The arguments of `reproduce`.
#[derive(Args)]
pub(crate) struct ReproduceArgs {
    /// Tables and figures, such as `001/table-6`; `001` stands for a whole paper, `all` for everything
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
    /// Stop after so many seconds; rows that seem to take longer are not begun
    #[arg(long, value_name = "SECONDS")]
    up_to: Option<u64>,
    /// How many rows are computed at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The folder for results and the page
    #[arg(long, value_name = "FOLDER", default_value = "smallscope-reproduced", value_hint = ValueHint::DirPath)]
    results: PathBuf,
    /// End with exit code 1 if a figure differs from the published one without a note that explains it
    #[arg(long)]
    check: bool,
    /// List the tables and figures, and compute nothing
    #[arg(long)]
    list: bool,
}

/// The name of the page in the folder of results.
const PAGE: &str = "report.html";

pub(crate) fn perform(args: &ReproduceArgs) -> Result<u8, Problem> {
    let all = experiments();
    if args.list {
        return list(&all);
    }
    let chosen = choose(&all, &args.tables)?;
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    let stop = Stop::listen();
    let limits = Limits { up_to: args.up_to.map(Duration::from_secs), threads, is_stopped: stop.flag() };
    let (results, summary) = run(&chosen, &args.results, limits, &mut report_event).map_err(Problem::file)?;
    let compared: Vec<(&Experiment, Compared)> = chosen
        .iter()
        .zip(&results)
        .map(|(experiment, results)| (*experiment, compare(experiment, results)))
        .collect();
    let mut out = std::io::stdout().lock();
    for (experiment, compared) in &compared {
        write!(out, "{}", table::text(experiment, compared))?;
    }
    let page = write_page(&all, &args.results)?;
    write!(out, "{}", in_short(&compared, &summary))?;
    writeln!(out, "The page is {}", page.display())?;
    out.flush()?;
    if stop.is_asked() {
        return Ok(INTERRUPTED);
    }
    let differs = args.check && compared.iter().any(|(_, compared)| compared.count(Mark::Differs) > 0);
    Ok(if summary.failed.is_empty() && !differs { 0 } else { FAILED })
}

/// Writes the page and the charts, with what earlier calls computed of other tables.
fn write_page(all: &[Experiment], folder: &Path) -> Result<PathBuf, Problem> {
    let mut compared = vec![];
    for experiment in all {
        let results = results::load(folder, experiment).map_err(Problem::file)?;
        compared.push((experiment, compare(experiment, &results)));
    }
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| Problem::file(format!("`{}`: {error}", path.display())))?;
        Ok(path)
    };
    for (name, chart) in report::charts(&compared) {
        write(&name, chart)?;
    }
    write(PAGE, report::html(&compared))
}

fn report_event(event: Event<'_>) {
    match event {
        Event::Started(..) => {}
        Event::Finished(id, row, seconds) => note(&format!("{id} {row}: {seconds:.1} s")),
        Event::Failed(id, row, why) => note(&format!("{id} {row}: failed: {why}")),
    }
}

fn list(all: &[Experiment]) -> Result<u8, Problem> {
    let mut out = std::io::stdout().lock();
    for experiment in all {
        let state = match &experiment.work {
            Work::Ready(_) => format!("{} rows", experiment.rows.len()),
            Work::Missing(why) => format!("not reproduced yet: {why}"),
        };
        let also = if experiment.also.is_empty() { String::new() } else { format!(", {}", experiment.also) };
        writeln!(out, "{:<28} {} ({state})", format!("{}{also}", experiment.id), experiment.title)?;
    }
    Ok(0)
}

/// The experiments that names stand for.
fn choose<'a>(all: &'a [Experiment], names: &[String]) -> Result<Vec<&'a Experiment>, Problem> {
    if names.is_empty() {
        return Err(Problem::usage(
            "say which tables, such as `000/binomial-heap`, `001` or `all`; `--list` lists them",
        ));
    }
    if let Some(empty) = names.iter().find(|name| name.trim().is_empty()) {
        return Err(Problem::usage(format!("`{empty}` is no name of a table; `--list` lists them")));
    }
    let is_meant = |experiment: &Experiment, name: &str| {
        name == "all"
            || experiment.id == name
            || experiment.also == name
            || experiment.id.split('/').next() == Some(name)
    };
    for name in names {
        if !all.iter().any(|experiment| is_meant(experiment, name)) {
            let near =
                suggest::near(name, all.iter().flat_map(|experiment| [experiment.id, experiment.also]));
            let hint = match &near[..] {
                [] => "; `--list` lists them".to_owned(),
                near => format!("; do you mean {}?", suggest::alternatives(near)),
            };
            return Err(Problem::usage(format!("there is no table or figure `{name}`{hint}")));
        }
    }
    Ok(all.iter().filter(|experiment| names.iter().any(|name| is_meant(experiment, name))).collect())
}

/// How many figures are equal, and what is left.
fn in_short(compared: &[(&Experiment, Compared)], summary: &Summary) -> String {
    let count = |mark| compared.iter().map(|(_, compared)| compared.count(mark)).sum::<usize>();
    let is_missing = |(experiment, compared): &&(&Experiment, Compared)| {
        matches!(experiment.work, Work::Missing(_)) && !compared.has_results()
    };
    let missing = compared.iter().filter(is_missing).count();
    format!(
        "{} figures are equal (=), {} differ (≠) for a reason that a note gives, {} differ without one, {} stand beside \
         published ones of other code or another machine (in parentheses)\n\
         {} rows were computed now, {} before; {} need more time, {} failed, {missing} tables are not reproduced yet\n",
        count(Mark::Equal),
        count(Mark::Explained),
        count(Mark::Differs),
        count(Mark::Beside),
        summary.computed,
        summary.kept,
        summary.left,
        summary.failed.len(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_tables_are_refused_with_near_names() {
        let all = experiments();
        let refused = |name: &str| choose(&all, &[name.to_owned()]).err().map(|problem| problem.to_string());
        let message = refused("000/binomal-heap").unwrap();
        assert!(
            message.starts_with("there is no table or figure `000/binomal-heap`; do you mean"),
            "{message}"
        );
        assert!(message.contains("`000/binomial-heap`"), "{message}");
        assert_eq!(refused("zzz").unwrap(), "there is no table or figure `zzz`; `--list` lists them");
        assert!(choose(&all, &[]).is_err());
        assert_eq!(choose(&all, &["all".to_owned()]).unwrap().len(), all.len());
        assert_eq!(choose(&all, &["001/figure-8".to_owned()]).unwrap()[0].id, "001/table-1");
        let paper = choose(&all, &["000".to_owned()]).unwrap();
        assert!(paper.len() > 4 && paper.iter().all(|experiment| experiment.id.starts_with("000/")));
    }
}
