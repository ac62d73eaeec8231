//! A candidate as a text: the canonical choices of all reachable slots, in the order of the walk.

use std::fmt;
use std::str::FromStr;

/// The canonical form of a candidate. Equal candidates stand for isomorphic values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Candidate(pub Vec<u32>);

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_choices(f, &self.0)
    }
}

impl FromStr for Candidate {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        parse_choices(s, "candidate").map(Candidate)
    }
}

/// More equal choices in a row than this are written as one, with their number: the elements of a long sequence.
const MOST_WRITTEN: usize = 31;

/// More choices than this are no candidate.
const MOST_CHOICES: usize = 1 << 24;

/// Choices joined by dots.
pub(crate) fn write_choices(f: &mut fmt::Formatter<'_>, choices: &[u32]) -> fmt::Result {
    if choices.is_empty() {
        return f.write_str("-");
    }
    let mut i = 0;
    while i < choices.len() {
        let c = choices[i];
        let dot = if i == 0 { "" } else { "." };
        let mut equal = 1;
        while choices.get(i + equal) == Some(&c) {
            equal += 1;
        }
        i += equal;
        if equal > MOST_WRITTEN {
            write!(f, "{dot}{c}*{equal}")?;
            continue;
        }
        write!(f, "{dot}{c}")?;
        for _ in 1..equal {
            write!(f, ".{c}")?;
        }
    }
    Ok(())
}

/// The inverse of [`write_choices`]; `what` is what the text should be.
pub(crate) fn parse_choices(s: &str, what: &str) -> Result<Vec<u32>, String> {
    if s == "-" {
        return Ok(vec![]);
    }
    let mut choices = vec![];
    for part in s.split('.') {
        let (choice, times) = part.split_once('*').unwrap_or((part, "1"));
        let (Ok(choice), Ok(times)) = (choice.parse(), times.parse::<usize>()) else {
            return Err(format!("`{s}` is not a {what}: expected numbers joined by dots, found `{part}`"));
        };
        if times > MOST_CHOICES - choices.len() {
            return Err(format!("`{s}` is not a {what}: it has more than {MOST_CHOICES} choices"));
        }
        for _ in 0..times {
            choices.push(choice);
        }
    }
    Ok(choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        for c in [vec![], vec![0], vec![1, 20, 3], vec![7; 31], [vec![2], vec![0; 32], vec![1]].concat()] {
            let c = Candidate(c);
            assert_eq!(c.to_string().parse(), Ok(c));
        }
        assert_eq!(Candidate([vec![2], vec![0; 4097]].concat()).to_string(), "2.0*4097");
        assert!("1*x".parse::<Candidate>().is_err());
        assert!("1*99999999999".parse::<Candidate>().is_err());
        assert!("1..2".parse::<Candidate>().is_err());
        assert!("".parse::<Candidate>().is_err());
    }
}
