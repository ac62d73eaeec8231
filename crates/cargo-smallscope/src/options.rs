//! Options that are settings of a run. Their names, values and help texts come from the table of settings.

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, ValueHint};
use smallscope_runner::session::have_gaps;
use smallscope_runner::settings::Settings;
use smallscope_support::settings::{Kind, RUN, SEQUENCES_RUN, Setting, find};
use std::marker::PhantomData;

/// Options that several commands have.
pub(crate) trait Group {
    /// The place in the table of settings.
    const PLACE: u8;
    /// Their names.
    const NAMES: &'static [&'static str];
    /// The heading in the help, if not that of all options.
    const HEADING: Option<&'static str> = None;
}

macro_rules! groups {
    ($($(#[$doc:meta])* $group:ident in $place:ident $(under $heading:literal)?: $names:expr;)*) => { $(
        $(#[$doc])*
        pub(crate) struct $group;

        impl Group for $group {
            const PLACE: u8 = $place;
            const NAMES: &'static [&'static str] = &$names;
            $(const HEADING: Option<&'static str> = Some($heading);)?
        }
    )* };
}

groups! {
    /// What is searched.
    Space in RUN: ["scope", "size", "len", "engine", "disjoint", "summaries"];
    /// Which values are delivered.
    Selection in RUN: ["one_per_path", "classes", "from", "to"];
    /// When to stop, and how many threads.
    Limits in RUN: ["max", "budget", "memory", "threads"];
    /// How many threads plan shards.
    Planning in RUN: ["threads"];
    /// When to stop a shard, which has one thread.
    ShardLimits in RUN: ["budget", "memory"];
    /// The bound of a test.
    Number in RUN: ["scope", "size"];
    /// When to stop the run on a mutant, and how many processes run.
    MutantLimits in RUN: ["max", "budget", "memory", "threads"];
    /// How much memory a command may take.
    Memory in RUN: ["memory"];
    /// Which values are kept.
    Reduction in RUN under "Some values of each class":
        ["criterion", "ratio", "keep", "per_class", "choice", "seed"];
    /// Which sequences are run, and how far.
    Sequences in SEQUENCES_RUN:
        ["strategy", "length", "tests", "seed", "clusters", "budget", "memory", "call_limit", "threads", "allow_empty"];
    /// Which sequences are divided into shards.
    ShardedSequences in SEQUENCES_RUN under "Call sequences":
        ["strategy", "length", "tests", "seed", "clusters", "call_limit", "allow_empty", "abstraction", "fields",
         "last_calls", "exact", "max_states"];
    /// How long sequences are.
    Length in SEQUENCES_RUN: ["length"];
    /// Which part of the tests.
    Range in SEQUENCES_RUN under "Lists of tests (be, bobw, random)": ["from", "to", "shard"];
    /// How states are explored.
    States in SEQUENCES_RUN under "Exploring states":
        ["abstraction", "fields", "last_calls", "order", "exact", "max_states"];
    /// What is observed.
    Coverage in SEQUENCES_RUN under "Coverage": ["cover"];
}

/// The settings that the options of a group give.
pub(crate) struct Given<G> {
    pub(crate) settings: Settings,
    group: PhantomData<G>,
}

impl<G> Default for Given<G> {
    fn default() -> Given<G> {
        Given { settings: Settings::default(), group: PhantomData }
    }
}

/// Returns the rows of the table for a group.
fn rows<G: Group>() -> impl Iterator<Item = &'static Setting> {
    let row = |name: &&str| find(name, G::PLACE).expect("the options of a group are in the table");
    G::NAMES.iter().map(row)
}

impl<G: Group> Args for Given<G> {
    fn augment_args(command: Command) -> Command {
        rows::<G>().fold(command, |command, setting| command.arg(argument(setting, G::HEADING)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<G: Group> FromArgMatches for Given<G> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Given::default();
        given.update_from_arg_matches(matches)?;
        Ok(given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for setting in rows::<G>() {
            let text = match flag(setting) {
                Some(meaning) => matches.get_flag(setting.name).then_some(meaning),
                None => matches.get_one::<String>(setting.name).map(String::as_str),
            };
            if let Some(text) = text {
                let set = self.settings.set(setting, text);
                set.map_err(|error| Error::raw(ErrorKind::ValueValidation, error))?;
            }
        }
        Ok(())
    }
}

/// Returns the value of an option that takes none.
fn flag(setting: &Setting) -> Option<&'static str> {
    match (setting.name, setting.kind) {
        ("disjoint", _) => Some("on"),
        (_, Kind::Flag | Kind::Switch) => Some("1"),
        _ => None,
    }
}

fn argument(setting: &'static Setting, heading: Option<&'static str>) -> Arg {
    let mut argument =
        Arg::new(setting.name).long(setting.name.replace('_', "-")).help(help(setting)).help_heading(heading);
    if flag(setting).is_some() {
        return argument.action(ArgAction::SetTrue);
    }
    if let Kind::File = setting.kind {
        argument = argument.value_hint(ValueHint::FilePath);
    }
    let check = |text: &str| {
        let mut settings = Settings::default();
        settings.set(setting, text)?;
        have_gaps(&settings.len.unwrap_or_default())?;
        Ok::<String, String>(text.to_owned())
    };
    argument.value_name(value_name(setting)).allow_negative_numbers(true).value_parser(check)
}

/// Returns one sentence, with the accepted values if the sentence does not name them.
fn help(setting: &Setting) -> String {
    let text = match setting.kind {
        // The default is about tests.
        Kind::Budget => setting.help.split(';').next().unwrap_or_default(),
        _ => setting.help,
    };
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    let names_all = |names: &[(&str, &str)]| names.iter().all(|(name, _)| setting.help.contains(name));
    let accepted = match setting.kind {
        Kind::Choice(_, names) if flag(setting).is_none() && !names_all(names) => {
            format!(": {}", setting.accepted())
        }
        Kind::Time | Kind::Budget => ": `500ms`, `10s`, `2m`, `1h`".to_owned(),
        Kind::Memory => ": `500 MB`, `2 GB`".to_owned(),
        Kind::List => ": `items=0..=3`, or with a gap `items=0..=3,64..=65`".to_owned(),
        _ => String::new(),
    };
    format!("{first}{}{accepted}", letters.as_str())
}

fn value_name(setting: &Setting) -> &'static str {
    match (setting.name, setting.kind) {
        ("from" | "to", _) => "POSITION",
        ("shard", _) => "K/N",
        ("fields", _) => "A,B,..",
        ("len", _) => "FIELD=LENGTHS",
        (_, Kind::Number(_) | Kind::NumberIn(..)) => "N",
        (_, Kind::Share) => "R",
        (_, Kind::Time | Kind::Budget) => "T",
        (_, Kind::Memory) => "SIZE",
        (_, Kind::File) => "FILE",
        _ => "NAME",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use smallscope_support::settings::in_places;

    /// Returns the options of a command that are settings.
    fn settings_of(path: &[&str], place: u8) -> Vec<String> {
        let mut command = crate::cli::Cli::command();
        for name in path {
            command = command.find_subcommand(name).expect("the command exists").clone();
        }
        let names = command.get_arguments().map(|argument| argument.get_id().to_string());
        names.filter(|name| find(name, place).is_some()).collect()
    }

    #[test]
    fn every_setting_of_the_table_is_an_option() {
        for (path, place) in [(&["run"][..], RUN), (&["sequences", "run"], SEQUENCES_RUN)] {
            let mut options = settings_of(path, place);
            let mut settings: Vec<String> = in_places(place).map(|setting| setting.name.to_owned()).collect();
            options.sort();
            settings.sort();
            assert_eq!(options, settings);
        }
    }

    #[test]
    fn help_begins_with_a_capital_and_names_what_is_accepted() {
        let help = |name| help(find(name, RUN | SEQUENCES_RUN).unwrap());
        assert_eq!(help("max"), "Stop after this many values");
        assert_eq!(help("budget"), "Stop after this time: `500ms`, `10s`, `2m`, `1h`");
        assert!(help("criterion").ends_with("`path` or `simple-path`"));
        assert!(help("engine").ends_with("as published (`korat`)"));
    }
}
