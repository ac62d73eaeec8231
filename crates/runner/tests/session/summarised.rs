//! Runs with summaries: files say so, and everything that works on a search works on them.

use crate::{Listener, folder, one_thread};
use smallscope::search::{Options, Search};
use smallscope::summaries::Summaries;
use smallscope::{Bounded, Bounds, Key, rep_ok};
use smallscope_runner::session::{Error, Request, Resume, Run, Space, Subject, Summary, perform};
use smallscope_runner::settings::Settings;
use std::fs;
use std::path::Path;
use std::time::Duration;

#[derive(Bounded, Debug)]
struct Tree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    tag: bool,
    key: Key,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size
            && Self::tags(&self.root) % 2 == 1
            && Self::is_ordered(&self.root, None, None)
    }

    fn count(t: &Option<Box<Node>>) -> usize {
        t.as_ref().map_or(0, |n| 1 + Self::count(&n.left) + Self::count(&n.right))
    }

    fn tags(t: &Option<Box<Node>>) -> usize {
        t.as_ref().map_or(0, |n| usize::from(n.tag) + Self::tags(&n.left) + Self::tags(&n.right))
    }

    fn is_ordered(t: &Option<Box<Node>>, low: Option<&Key>, high: Option<&Key>) -> bool {
        let Some(n) = t else { return true };
        low.is_none_or(|low| *low < n.key)
            && high.is_none_or(|high| n.key < *high)
            && Self::is_ordered(&n.left, low, Some(&n.key))
            && Self::is_ordered(&n.right, Some(&n.key), high)
    }
}

fn ask(request: &Request, listener: &mut Listener) -> Result<Option<Summary>, Error> {
    let open = |bounds: &Bounds, options: Options| Ok(Search::<Tree>::new(bounds, options)?.into_any());
    let subject = Subject { name: "tree".into(), package: None, place: None, open: &open };
    let request = Request::from_line(&request.to_line()).unwrap();
    perform(&subject, &request, listener)
}

fn sum_up(request: Request, listener: &mut Listener) -> Summary {
    ask(&request, listener).unwrap_or_else(|e| panic!("{e}")).expect("runs are summed up")
}

/// Trees of up to 5 nodes: so many sets of keys, shapes (Catalan numbers), and tags of which an odd number is set.
const VALUES: u64 = 5 + 10 * 2 * 2 + 10 * 5 * 4 + 5 * 14 * 8 + 42 * 16;

fn run(summaries: Summaries, settings: Settings, save: Option<&Path>) -> Run {
    let bounds = Bounds::exact().objects("Node", 5).ints("Tree.size", 0..=5).ints("Node.key", 0..=4);
    let settings = Settings { summaries: Some(summaries), ..settings.or(one_thread()) };
    Run {
        space: Space { bounds: Some(bounds), args: None, settings },
        print: true,
        save: save.map(Path::to_owned),
        force: true,
        list_classes: false,
        checkpoint: None,
        checkpoint_every: Duration::from_millis(1),
    }
}

fn values(run: Run) -> (Vec<String>, Summary) {
    let mut listener = Listener::default();
    let summary = sum_up(Request::Run(run), &mut listener);
    let mut lines: Vec<String> = listener.text.lines().map(str::to_owned).collect();
    lines.sort();
    (lines, summary)
}

#[test]
fn the_same_values_in_fewer_runs() {
    let (plain, without) = values(run(Summaries::Off, Settings::default(), None));
    let (summarised, with) = values(run(Summaries::On, Settings::default(), None));
    assert_eq!((without.valid, with.valid), (VALUES, VALUES));
    assert!(with.explored < without.explored, "{} {}", with.explored, without.explored);
    assert_eq!(plain.len(), summarised.len());
    assert_eq!(without.engine, "lazy");
    assert_eq!(with.engine, "lazy, summaries");
}

#[test]
fn threads_deliver_the_same_suite() {
    let folder = folder("summarised-threads");
    let (one, three) = (folder.join("one"), folder.join("three"));
    sum_up(Request::Run(run(Summaries::On, Settings::default(), Some(&one))), &mut Listener::default());
    let threads = Settings { threads: Some(3), ..Settings::default() };
    sum_up(Request::Run(run(Summaries::On, threads, Some(&three))), &mut Listener::default());
    assert!(fs::read(one).unwrap() == fs::read(three).unwrap());
}

#[test]
fn an_interrupted_suite_is_resumed_with_summaries_to_the_byte() {
    let folder = folder("summarised-interrupted");
    let (whole, part) = (folder.join("whole"), folder.join("part"));
    let save = |file: &Path| Request::Run(run(Summaries::On, Settings::default(), Some(file)));
    sum_up(save(&whole), &mut Listener::default());
    let whole = fs::read(whole).unwrap();
    assert!(whole.windows(9).any(|text| text == b"summaries"));
    let mut interrupted = 0;
    for questions in [0, 1, 2, 5] {
        let stopped = sum_up(save(&part), &mut Listener::stopping_after(questions));
        interrupted += u32::from(stopped.outcome() == "interrupted");
        if stopped.outcome() == "interrupted" {
            let settings = one_thread();
            let resume = Resume { file: part.clone(), settings, checkpoint_every: Duration::from_millis(1) };
            sum_up(Request::Resume(resume), &mut Listener::default());
        }
        assert!(fs::read(&part).unwrap() == whole, "{questions}");
    }
    assert!(interrupted > 0);
}

#[test]
fn ranges_add_up() {
    let folder = folder("summarised-ranges");
    let all = values(run(Summaries::On, Settings::default(), None)).1.valid;
    let file = folder.join("first");
    let most = Settings { max: Some(all / 3), ..Settings::default() };
    let first = sum_up(Request::Run(run(Summaries::On, most, Some(&file))), &mut Listener::default());
    let position = first.position.expect("there is more");
    let to = Settings { to: Some(position.clone()), ..Settings::default() };
    let from = Settings { from: Some(position), ..Settings::default() };
    let (before, after) =
        (values(run(Summaries::On, to, None)).1.valid, values(run(Summaries::On, from, None)).1.valid);
    assert_eq!((before, before + after), (all / 3, all));
}

#[test]
fn a_suite_without_the_setting_is_one_of_the_plain_search() {
    let folder = folder("summarised-plain");
    let file = folder.join("suite");
    sum_up(Request::Run(run(Summaries::Off, Settings::default(), Some(&file))), &mut Listener::default());
    assert!(!fs::read(&file).unwrap().windows(9).any(|text| text == b"summaries"));
}

#[test]
fn what_is_about_runs_of_the_whole_invariant_is_refused() {
    let one_per_path = Settings { one_per_path: Some(true), ..Settings::default() };
    let request = Request::Run(run(Summaries::On, one_per_path, None));
    let error = ask(&request, &mut Listener::default()).expect_err("it is refused").to_string();
    assert!(error.contains("`--one-per-path` cannot be combined with `--summaries`"), "{error}");
}
