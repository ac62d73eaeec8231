//! Numbers of values, as ranges.

use std::fmt;
use std::str::FromStr;

/// A set of numbers, such as `1-3,7`. Written and read as options name shards.
///
/// ```
/// use smallscope_runner::session::Numbers;
/// let numbers: Numbers = [1, 2, 3, 7].into_iter().collect();
/// assert_eq!(numbers.to_string(), "1-3,7");
/// assert_eq!("1-3,7".parse(), Ok(numbers.clone()));
/// assert_eq!((numbers.count(), numbers.first()), (4, Some(1)));
/// assert!(numbers.contains(2) && !numbers.contains(4));
/// assert!("3-1".parse::<Numbers>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Numbers(Vec<(u64, u64)>);

impl Numbers {
    /// Adds a number that is greater than all before.
    ///
    /// # Panics
    ///
    /// If it is not greater.
    pub fn push(&mut self, number: u64) {
        match self.0.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            last => {
                let is_greater = last.is_none_or(|(_, last)| *last < number);
                assert!(is_greater, "smallscope internal error: numbers do not rise");
                self.0.push((number, number));
            }
        }
    }

    /// Returns the first and the last number of each range, in order.
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// Returns the numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }

    /// Returns how many numbers there are.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// Returns the least number.
    pub fn first(&self) -> Option<u64> {
        self.0.first().map(|(first, _)| *first)
    }

    /// Whether a number is in the set.
    pub fn contains(&self, number: u64) -> bool {
        let at = self.0.partition_point(|(_, last)| *last < number);
        self.0.get(at).is_some_and(|(first, _)| *first <= number)
    }

    /// Whether the sets have a number in common.
    pub fn meets(&self, other: &Numbers) -> bool {
        let (mut own, mut others) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(a), Some(b)) = (own.peek(), others.peek()) {
            if a.1 < b.0 {
                own.next();
            } else if b.1 < a.0 {
                others.next();
            } else {
                return true;
            }
        }
        false
    }
}

impl FromIterator<u64> for Numbers {
    /// Collects rising numbers.
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Numbers {
        let mut set = Numbers::default();
        numbers.into_iter().for_each(|number| set.push(number));
        set
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, last)) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "," })?;
            match first == last {
                true => write!(f, "{first}")?,
                false => write!(f, "{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Numbers {
    type Err = String;
    fn from_str(s: &str) -> Result<Numbers, String> {
        let mut numbers = Numbers::default();
        for item in s.split(',').filter(|item| !item.is_empty()) {
            let (first, last) = item.split_once('-').unwrap_or((item, item));
            let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is no number"));
            let (first, last) = (number(first)?, number(last)?);
            if first > last || numbers.0.last().is_some_and(|(_, before)| *before >= first) {
                return Err(format!("the numbers in `{s}` do not rise"));
            }
            match numbers.0.last_mut() {
                Some((_, before)) if *before + 1 == first => *before = last,
                _ => numbers.0.push((first, last)),
            }
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[test]
    fn sets_meet_if_a_number_is_in_both() {
        let set = |text: &str| text.parse::<Numbers>().unwrap();
        for (a, b, meets) in [
            ("1-3,7", "4-6", false),
            ("1-3,7", "4-7", true),
            ("1-3,7", "", false),
            ("2,9-12", "10", true),
            ("2,9-12", "3-8,13", false),
        ] {
            assert_eq!(set(a).meets(&set(b)), meets, "{a} and {b}");
            assert_eq!(set(b).meets(&set(a)), meets, "{b} and {a}");
            assert_eq!(set(a).iter().any(|number| set(b).contains(number)), meets);
        }
    }
}
