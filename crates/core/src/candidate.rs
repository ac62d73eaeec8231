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

/// Choices joined by dots.
pub(crate) fn write_choices(f: &mut fmt::Formatter<'_>, choices: &[u32]) -> fmt::Result {
    if choices.is_empty() {
        return f.write_str("-");
    }
    for (i, c) in choices.iter().enumerate() {
        write!(f, "{}{c}", if i == 0 { "" } else { "." })?;
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
        let Ok(choice) = part.parse() else {
            return Err(format!("`{s}` is not a {what}: expected numbers joined by dots, found `{part}`"));
        };
        choices.push(choice);
    }
    Ok(choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        for c in [vec![], vec![0], vec![1, 20, 3]] {
            let c = Candidate(c);
            assert_eq!(c.to_string().parse(), Ok(c));
        }
        assert!("1..2".parse::<Candidate>().is_err());
        assert!("".parse::<Candidate>().is_err());
    }
}
