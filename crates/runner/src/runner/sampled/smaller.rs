//! After a failure on a random value: one that fails, too, and has fewer objects.
//!
//! Values with fewer objects are drawn first, from the smallest size up. So a small failure is found quickly, if small failures
//! are not rare. Then subtrees of the failure are replaced by smaller ones of its own, as long as the result fails. Then all values with fewer objects are tried, from the smallest size up, as far as that takes not too long.
//! If all of them pass, none is smaller.

use super::super::failure::Blame;
use super::super::report::{Pass, plural};
use super::super::threads::PassSetup;
use super::super::trial::{Wrong, try_value};
use super::super::{Runner, fewest};
use super::draw::{Samples, go_to};
use smallscope_core::groups::{Natural, Population};
use smallscope_core::{AnySearch, Candidate};
use smallscope_support::panics;

/// So many values of each size are drawn.
const DRAWN: u64 = 200;

/// So many values with a smaller subtree are tried.
const REPLACED: u32 = 20_000;

/// So many values may be tried one after the other.
const TRIED: u64 = 30_000;

/// The smallest failure so far.
struct Smallest {
    candidate: Candidate,
    wrong: Box<Wrong>,
    objects: u32,
}

/// Looks for a failure with fewer objects than the current value, which fails. Goes to the smallest one, and says how small it is.
pub(super) fn find(
    runner: &mut Runner<'_>,
    samples: &mut Samples,
    all: Option<&Population>,
    layout: &PassSetup,
    wrong: Box<Wrong>,
) -> (Box<Wrong>, String) {
    let Ok(candidate) = panics::catch(|| samples.search.candidate()) else { return (wrong, String::new()) };
    let Some((all, objects)) = all.and_then(|all| Some((all, all.objects(&candidate)?))) else {
        return match fewest::find(runner, layout, &mut samples.search, &wrong) {
            Some(fewer) => {
                let size = match fewer.total {
                    1 => "1 object or element".to_owned(),
                    total => format!("{total} objects and elements"),
                };
                (fewer.wrong, format!("; then one with {size}, and those tried with fewer pass"))
            }
            None => (wrong, String::new()),
        };
    };
    let mut smallest = Smallest { candidate, wrong, objects };
    let sizes = all.sizes();
    let is_new = draw_smaller(runner, samples, all, &sizes, &mut smallest)
        | replace_subtrees(runner, &mut samples.search, all, &mut smallest);
    let (is_newer, complete) = try_smaller(runner, &mut samples.search, all, &sizes, &mut smallest);
    let _ = panics::catch(|| samples.search.go_to(&smallest.candidate));
    let mut text = String::new();
    if is_new || is_newer {
        text = format!(
            "; the smallest failure that was found has {}",
            plural(smallest.objects.into(), "object")
        );
    }
    text += &match complete {
        None => "; no value with fewer objects fails".to_owned(),
        Some(size) => format!(
            "; values with {} and more may fail, too: not all of them were tried",
            plural(size.into(), "object")
        ),
    };
    (smallest.wrong, text)
}

/// Draws values with fewer objects, from the smallest size up. Whether one of them fails.
fn draw_smaller(
    runner: &mut Runner<'_>,
    samples: &mut Samples,
    all: &Population,
    sizes: &[(u32, Natural)],
    smallest: &mut Smallest,
) -> bool {
    for (objects, count) in sizes.iter().filter(|(objects, _)| *objects < smallest.objects) {
        // What is tried one after the other need not be drawn.
        if count.to_u64().is_some_and(|count| count <= DRAWN) {
            continue;
        }
        let part = all.of_size(*objects);
        for _ in 0..DRAWN {
            if is_over(runner, &samples.search) {
                return false;
            }
            let candidate = part.draw(&mut || samples.random.next());
            if let Some(wrong) = fails(runner, &mut samples.search, all, &candidate) {
                *smallest = Smallest { candidate, wrong, objects: *objects };
                return true;
            }
        }
    }
    false
}

/// Replaces subtrees of the smallest failure by smaller ones, as long as the result fails. Whether there was one.
fn replace_subtrees(
    runner: &mut Runner<'_>,
    search: &mut AnySearch,
    all: &Population,
    smallest: &mut Smallest,
) -> bool {
    let (mut is_new, mut left) = (false, REPLACED);
    'smaller: loop {
        for candidate in all.smaller(&smallest.candidate) {
            if left == 0 || is_over(runner, search) {
                return is_new;
            }
            left -= 1;
            let Some(objects) = all.objects(&candidate) else { continue };
            if let Some(wrong) = fails(runner, search, all, &candidate) {
                *smallest = Smallest { candidate, wrong, objects };
                is_new = true;
                continue 'smaller;
            }
        }
        return is_new;
    }
}

/// Tries all values with fewer objects, from the smallest size up. Whether one of them fails, and the first size of which not all
/// values were tried.
fn try_smaller(
    runner: &mut Runner<'_>,
    search: &mut AnySearch,
    all: &Population,
    sizes: &[(u32, Natural)],
    smallest: &mut Smallest,
) -> (bool, Option<u32>) {
    let mut left = TRIED;
    for (objects, count) in sizes.iter().filter(|(objects, _)| *objects < smallest.objects) {
        let Some(count) = count.to_u64().filter(|count| *count <= left) else {
            return (false, Some(*objects));
        };
        left -= count;
        let part = all.of_size(*objects);
        for number in 0..count {
            let Some(candidate) = part.nth(&number.into()).filter(|_| !is_over(runner, search)) else {
                return (false, Some(*objects));
            };
            if let Some(wrong) = fails(runner, search, all, &candidate) {
                *smallest = Smallest { candidate, wrong, objects: *objects };
                return (true, None);
            }
        }
    }
    (false, None)
}

/// Whether the time is up, or the memory is used.
fn is_over(runner: &Runner<'_>, search: &AnySearch) -> bool {
    let outcome = search.outcome();
    runner.tick(&Pass::new(None, outcome), &outcome).is_break()
}

/// The failure of the test on a value, if it is valid and the test fails.
fn fails(
    runner: &mut Runner<'_>,
    search: &mut AnySearch,
    all: &Population,
    candidate: &Candidate,
) -> Option<Box<Wrong>> {
    let is_valid = panics::catch(|| go_to(search, all, candidate).unwrap_or(false)).unwrap_or(false);
    if !is_valid {
        return None;
    }
    let wrong = try_value(search, runner.body.case, runner.body.tally).err()?;
    matches!(wrong.blame, Blame::Test | Blame::Destructor).then_some(wrong)
}
