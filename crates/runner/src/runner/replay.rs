//! One value of one test, as a text that can be replayed: `3:1.0.2@8f3a91c2d4e5f607`.

use smallscope_core::values::Product;
use smallscope_core::{AnySearch, Bounds, Candidate, Engine};
use smallscope_support::hash::Fnv;
use std::fmt;
use std::str::FromStr;

/// A candidate with everything that is needed to build its value again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayCandidate {
    /// The engine.
    pub engine: Engine,
    /// The scope number, or the number of its pass; none if the bounds have no scope number.
    pub scope: Option<u32>,
    /// Whether that is the size of the whole value.
    pub is_size: bool,
    /// Whether fields have edge values.
    pub edges: bool,
    /// Whether the scope number is a pass of smallest first, in which other numbers are smaller than in the scope.
    pub within: bool,
    /// The rule by which elements of long sequences are filled, if they are.
    pub fill: Option<u64>,
    /// The canonical candidate.
    pub candidate: Candidate,
    /// The fingerprint of type and bounds when it was found.
    pub fingerprint: Option<u64>,
}

impl ReplayCandidate {
    /// Returns the bounds in which the candidate was found, given those of its test.
    pub(crate) fn bounds(&self, of_test: &Bounds) -> Bounds {
        let bounds = match self.scope {
            Some(scope) if self.edges => of_test.edges_at(scope),
            Some(pass) if self.within => of_test.within(pass),
            Some(size) if self.is_size => of_test.with_size(size),
            Some(scope) => of_test.with_plain_scope(scope),
            None => of_test.clone(),
        };
        match self.fill {
            Some(rule) => bounds.filled_by(rule),
            None => bounds,
        }
    }
}

/// Returns a number that changes when the type or the bounds change, so that a candidate may mean another value.
pub(crate) fn fingerprint(search: &AnySearch, bounds: &Bounds) -> u64 {
    layout_fingerprint(search.type_name(), &search.slots(), bounds)
}

/// The fingerprint for a type that is known by name only.
fn layout_fingerprint(type_name: &str, slots: &[(String, u64)], bounds: &Bounds) -> u64 {
    let mut hash = Fnv::new().add_text(type_name).add_text(&bounds.fingerprint());
    for (field, choices) in slots {
        hash = hash.add_text(field).add_text(&choices.to_string());
    }
    hash.value()
}

/// The fingerprint in suites. A single input has the same fingerprint as its type.
#[inline]
pub fn suite_layout(type_name: &str, slots: &[(String, u64)], bounds: &Bounds) -> String {
    let product = format!("{}<(", std::any::type_name::<Product<()>>().trim_end_matches("<()>"));
    let single = type_name.strip_prefix(&product).and_then(|rest| rest.strip_suffix(",)>"));
    format!("{:016x}", layout_fingerprint(single.unwrap_or(type_name), slots, bounds))
}

impl fmt::Display for ReplayCandidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.engine != Engine::default() {
            write!(f, "{}:", self.engine)?;
        }
        if let Some(rule) = self.fill {
            write!(f, "filled{rule}:")?;
        }
        match self.scope {
            Some(size) if self.is_size => write!(f, "size{size}:{}", self.candidate)?,
            Some(scope) if self.edges => write!(f, "edges{scope}:{}", self.candidate)?,
            Some(pass) if self.within => write!(f, "within{pass}:{}", self.candidate)?,
            Some(scope) => write!(f, "{scope}:{}", self.candidate)?,
            None => write!(f, "exact:{}", self.candidate)?,
        }
        match self.fingerprint {
            Some(fingerprint) => write!(f, "@{fingerprint:016x}"),
            None => Ok(()),
        }
    }
}

impl FromStr for ReplayCandidate {
    type Err = String;
    fn from_str(text: &str) -> Result<ReplayCandidate, String> {
        let wrong = |what: &str| {
            format!(
                "`{text}` is not a value to replay ({what}); it looks like `3:1.0.2` or `exact:1.0.2@8f3a91c2d4e5f607`"
            )
        };
        let (rest, fingerprint) = match text.split_once('@') {
            Some((rest, hex)) => {
                let number = u64::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 16);
                (rest, Some(number.ok_or_else(|| wrong("16 hexadecimal digits follow the `@`"))?))
            }
            None => (text, None),
        };
        let mut parts = vec![];
        for part in rest.split(':') {
            parts.push(part);
        }
        let candidate = parts.pop().unwrap_or_default().parse().map_err(|e: String| wrong(&e))?;
        let before = "a scope number, `size`, `edges` or `within` with a number, or `exact` comes before the candidate";
        let (mut is_size, mut edges, mut within) = (false, false, false);
        let scope = match parts.pop() {
            Some("exact") => None,
            Some(text) => {
                let (size, edge) = (text.strip_prefix("size"), text.strip_prefix("edges"));
                let pass = text.strip_prefix("within");
                (is_size, edges, within) = (size.is_some(), edge.is_some(), pass.is_some());
                Some(size.or(edge).or(pass).unwrap_or(text).parse().map_err(|_| wrong(before))?)
            }
            None => return Err(wrong(before)),
        };
        let mut fill = None;
        if let Some(rule) = parts.last().and_then(|part| part.strip_prefix("filled")) {
            fill = Some(rule.parse().map_err(|_| wrong("the number of a rule follows `filled`"))?);
            parts.pop();
        }
        let engine = match parts.pop() {
            Some(engine) => engine.parse().map_err(|e: String| wrong(&e))?,
            None => Engine::default(),
        };
        if !parts.is_empty() {
            return Err(wrong("too many colons"));
        }
        Ok(ReplayCandidate { engine, scope, is_size, edges, within, fill, candidate, fingerprint })
    }
}

/// A value to run again, or a call sequence by its calls or its index.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The text as given.
    pub text: String,
    /// The value, if the text describes one.
    pub candidate: Option<ReplayCandidate>,
}

impl FromStr for Replay {
    type Err = String;
    fn from_str(text: &str) -> Result<Replay, String> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_index =
            text.split_once(':').is_some_and(|(length, index)| is_number(length) && is_number(index));
        let end = text.trim_end();
        let is_calls = text.as_bytes().contains(&b'(') && (end.ends_with(')') || end.ends_with(';'));
        match text.parse::<ReplayCandidate>() {
            Err(error) if !is_calls && !is_index => Err(error),
            candidate => Ok(Replay { text: text.to_owned(), candidate: candidate.ok() }),
        }
    }
}

impl fmt::Display for Replay {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope_core::{Bounded, Options, Search};

    #[test]
    fn text_round_trip() {
        let texts = [
            "3:1.0.2@8f3a91c2d4e5f607",
            "exact:-",
            "korat:12:4@000000000000000a",
            "size3:1",
            "edges2:1.0",
            "owned:within2:1",
            "filled7:3:2.0*64",
            "owned:filled0:exact:1",
        ];
        for text in texts {
            assert_eq!(text.parse::<ReplayCandidate>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn malformed_positions_are_errors() {
        for text in [
            "",
            "1.2",
            "x:1",
            "3:1..2",
            "3:1@12",
            "3:1@zzzzzzzzzzzzzzzz",
            "eager:3:1",
            "a:korat:3:1",
            "size:1",
            "within:1",
            "filled:3:1",
        ] {
            assert!(
                text.parse::<ReplayCandidate>().unwrap_err().contains("is not a value to replay"),
                "{text}"
            );
        }
    }

    #[test]
    fn sequences_can_be_replayed_too() {
        for text in ["a[0] = A::new(); a[0].push(u8_[1])", "30:123456789012345678901234567890"] {
            let replay: Replay = text.parse().unwrap();
            assert_eq!((replay.to_string().as_str(), replay.candidate), (text, None));
        }
    }

    #[test]
    fn letters_with_another_meaning_change_the_fingerprint() {
        // Before, the third letter was `c`, and the fingerprint was about slots only.
        let is_as_before = |bounds: Bounds| {
            let search = Search::<(String, u8)>::new(&bounds, Options::default()).unwrap();
            let slots: Vec<_> = search.slots().into_iter().take(search.slot_count()).collect();
            fingerprint(&search, &bounds) == layout_fingerprint(search.type_name(), &slots, &bounds)
        };
        assert!(is_as_before(Bounds::scope(2)));
        assert!(!is_as_before(Bounds::scope(3)));
        assert!(is_as_before(Bounds::scope(3).alphabet("input.value", "abc")));
    }

    #[test]
    fn the_fingerprint_changes_with_type_and_bounds_only() {
        fn of<T: Bounded>(bounds: &Bounds) -> u64 {
            fingerprint(&Search::<T>::new(bounds, Options::default()).unwrap(), bounds)
        }
        assert_eq!(of::<u8>(&Bounds::scope(3)), of::<u8>(&Bounds::scope(3)));
        assert_ne!(of::<u8>(&Bounds::scope(3)), of::<u8>(&Bounds::scope(4)));
        assert_ne!(of::<u8>(&Bounds::scope(3)), of::<u16>(&Bounds::scope(3)));
        assert_ne!(of::<u8>(&Bounds::scope(3)), of::<u8>(&Bounds::scope(3).ints("input.value", 0..3)));
    }
}
