//! What can be asked about sequences, and how it gets into a test binary.

use crate::session::request::{Lines, path_text};
use smallscope_sequences::{BigUint, Campaign, Cover, Matching, Traversal, Which};
use std::path::PathBuf;
use std::time::Duration;

/// What to do.
#[derive(Debug, Clone)]
pub enum Ask {
    /// Run sequences.
    Run(Box<Run>),
    /// Say how many calls and tests there are.
    Count {
        /// The length of the tests.
        length: Option<usize>,
    },
    /// Look at tests again.
    Replay(Replay),
}

/// Which sequences to run. What is not said is as the test says, or has a default.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The strategy.
    pub which: Option<Which>,
    /// How many calls.
    pub length: Option<usize>,
    /// How many tests.
    pub tests: Option<u64>,
    /// What random choices are made with.
    pub seed: Option<u64>,
    /// In which order states are explored.
    pub order: Option<Traversal>,
    /// Which states are the same: `complete`, `shape` or `classical`.
    pub abstraction: Option<String>,
    /// Fields that count besides the shape.
    pub fields: Vec<String>,
    /// Compare whole linearizations.
    pub exact: bool,
    /// At most so many states.
    pub max_states: Option<u64>,
    /// The position to begin at.
    pub from: Option<BigUint>,
    /// The position to end before.
    pub to: Option<BigUint>,
    /// The part `k` of `n` parts.
    pub shard: Option<(u64, u64)>,
    /// At most so long.
    pub budget: Option<Duration>,
    /// What a call may take.
    pub call_limit: Option<Duration>,
    /// How many threads, where there can be several.
    pub threads: Option<usize>,
    /// Go on after failures.
    pub clusters: bool,
    /// What is looked at in the code under test.
    pub cover: Option<Cover>,
    /// Save the sequences.
    pub save: Option<Save>,
}

/// Where to save sequences.
#[derive(Debug, Clone)]
pub struct Save {
    /// The file. If its name ends with `.rs`, they are functions with `#[test]`.
    pub path: PathBuf,
    /// Replace the file if it is there.
    pub force: bool,
    /// What tests in Rust have to import; none for what the subject says.
    pub uses: Vec<String>,
}

/// Which tests to look at.
#[derive(Debug, Clone)]
pub enum Replay {
    /// One, by its calls in canonical form or by its length and index.
    Test(String),
    /// Those of a file that was saved.
    File(PathBuf),
}

impl Run {
    /// The campaign of a test, as far as nothing else is said.
    pub fn over(&self, own: &Campaign) -> Result<Campaign, smallscope_sequences::Error> {
        let which = self.which.unwrap_or(own.which);
        let mut campaign = match which == own.which {
            true => own.clone(),
            // What was said about the other strategy is of no use.
            false => Campaign {
                which,
                length: own.length,
                seed: own.seed,
                budget: own.budget,
                call_limit: own.call_limit,
                clusters: own.clusters,
                cover: own.cover,
                ..Campaign::default()
            },
        };
        campaign.length = self.length.or(campaign.length);
        campaign.tests = self.tests.or(campaign.tests);
        campaign.seed = self.seed.unwrap_or(campaign.seed);
        campaign.order = self.order.unwrap_or(campaign.order);
        if self.abstraction.is_some() || !self.fields.is_empty() {
            campaign.matching =
                Matching::named(self.abstraction.as_deref().unwrap_or("shape"), &self.fields)?;
        }
        campaign.exact |= self.exact;
        campaign.max_states = self.max_states.or(campaign.max_states);
        campaign.from = self.from.clone().or(campaign.from);
        campaign.to = self.to.clone().or(campaign.to);
        campaign.shard = self.shard.or(campaign.shard);
        campaign.budget = self.budget.or(campaign.budget);
        campaign.call_limit = self.call_limit.or(campaign.call_limit);
        campaign.threads = self.threads.or(campaign.threads);
        campaign.clusters |= self.clusters;
        campaign.cover = self.cover.unwrap_or(campaign.cover);
        campaign.check()?;
        Ok(campaign)
    }
}

impl Ask {
    /// The request as text.
    pub fn to_text(&self) -> String {
        let mut out = Lines::default();
        match self {
            Ask::Run(run) => {
                out.put("do", "sequences-run");
                out.put_if("which", run.which);
                out.put_if("length", run.length);
                out.put_if("tests", run.tests);
                out.put_if("seed", run.seed);
                out.put_if("order", run.order);
                out.put_if("abstraction", run.abstraction.as_ref());
                out.put("fields", run.fields.join("\n"));
                out.put("exact", run.exact);
                out.put_if("max_states", run.max_states);
                out.put_if("from", run.from.as_ref());
                out.put_if("to", run.to.as_ref());
                out.put_if("shard", run.shard.map(|(k, _)| k));
                out.put_if("shards", run.shard.map(|(_, n)| n));
                out.put_if("budget", run.budget.map(|t| t.as_millis()));
                out.put_if("call_limit", run.call_limit.map(|t| t.as_millis()));
                out.put_if("threads", run.threads);
                out.put("clusters", run.clusters);
                out.put_if("cover", run.cover);
                if let Some(Save { path, force, uses }) = &run.save {
                    out.put("save", path_text(path));
                    out.put("force", force);
                    out.put("uses", uses.join("\n"));
                }
            }
            Ask::Count { length } => {
                out.put("do", "sequences-count");
                out.put_if("length", *length);
            }
            Ask::Replay(replay) => {
                out.put("do", "sequences-replay");
                match replay {
                    Replay::Test(text) => out.put("sequence", text),
                    Replay::File(path) => out.put("file", path_text(path)),
                }
            }
        }
        out.0
    }

    /// The request in a text.
    pub fn from_text(text: &str) -> Result<Ask, String> {
        let input = Lines(text.to_owned());
        let list = |key| {
            let text = input.get(key).unwrap_or_default();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        match input.get("do").as_deref() {
            Some("sequences-run") => Ok(Ask::Run(Box::new(Run {
                which: input.parse_if("which")?,
                length: input.parse_if("length")?,
                tests: input.parse_if("tests")?,
                seed: input.parse_if("seed")?,
                order: input.parse_if("order")?,
                abstraction: input.get("abstraction"),
                fields: list("fields"),
                exact: input.parse("exact")?,
                max_states: input.parse_if("max_states")?,
                from: input.parse_if("from")?,
                to: input.parse_if("to")?,
                shard: input.parse_if("shard")?.zip(input.parse_if("shards")?),
                budget: input.time("budget")?,
                call_limit: input.time("call_limit")?,
                threads: input.parse_if("threads")?,
                clusters: input.parse("clusters")?,
                cover: input.parse_if("cover")?,
                save: match input.get("save") {
                    Some(path) => {
                        Some(Save { path: path.into(), force: input.parse("force")?, uses: list("uses") })
                    }
                    None => None,
                },
            }))),
            Some("sequences-count") => Ok(Ask::Count { length: input.parse_if("length")? }),
            Some("sequences-replay") => Ok(Ask::Replay(match input.get("file") {
                Some(path) => Replay::File(path.into()),
                None => Replay::Test(input.parse("sequence")?),
            })),
            Some(other) => Err(format!(
                "a test of sequences cannot be asked to `{other}`; see that it uses the same version of smallscope as this tool"
            )),
            None => Err("the request does not say what to do".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_survive_the_way_into_a_test_binary() {
        let run = Run {
            which: Some(Which::Bobw),
            length: Some(100),
            tests: Some(7),
            seed: Some(3),
            order: Some(Traversal::Depth),
            abstraction: Some("shape".into()),
            fields: vec!["red".into(), "size".into()],
            exact: true,
            max_states: Some(5),
            from: "123456789012345678901234567890".parse().ok(),
            to: "223456789012345678901234567890".parse().ok(),
            shard: Some((2, 3)),
            budget: Some(Duration::from_millis(1500)),
            call_limit: Some(Duration::from_secs(60)),
            threads: Some(2),
            clusters: true,
            cover: Some(Cover::Predicates),
            save: Some(Save {
                path: "a b.rs".into(),
                force: true,
                uses: vec!["crate::A".into(), "b::*".into()],
            }),
        };
        let asks = [
            Ask::Run(Box::new(run)),
            Ask::Run(Box::default()),
            Ask::Count { length: Some(4) },
            Ask::Replay(Replay::Test("a[0] = A::new(); a[0].push(b[1])".into())),
            Ask::Replay(Replay::File("suite.txt".into())),
        ];
        for ask in asks {
            let back = Ask::from_text(&ask.to_text()).unwrap();
            assert_eq!(format!("{back:?}"), format!("{ask:?}"));
        }
        assert!(Ask::from_text("do=size\n").unwrap_err().contains("cannot be asked to `size`"));
    }

    #[test]
    fn another_strategy_keeps_what_goes_with_it() {
        let own = Campaign {
            length: Some(5),
            exact: true,
            max_states: Some(9),
            seed: 4,
            cover: Cover::Blocks,
            ..Campaign::default()
        };
        let other = Run { which: Some(Which::Be), ..Run::default() }.over(&own).unwrap();
        assert_eq!(other.cover, Cover::Blocks);
        assert_eq!(
            Run { cover: Some(Cover::Nothing), ..Run::default() }.over(&own).unwrap().cover,
            Cover::Nothing
        );
        assert_eq!((other.length, other.seed, other.exact, other.max_states), (Some(5), 4, false, None));
        let same = Run { length: Some(3), ..Run::default() }.over(&own).unwrap();
        assert_eq!((same.length, same.exact, same.max_states), (Some(3), true, Some(9)));
        let shape = Run { fields: vec!["red".into()], ..Run::default() }.over(&own).unwrap();
        assert_eq!(shape.matching.to_string(), "shape and red");
        assert!(Run { shard: Some((1, 2)), ..Run::default() }.over(&own).is_err());
    }
}
