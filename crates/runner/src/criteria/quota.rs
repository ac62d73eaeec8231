//! How many values of each class are kept.

use std::fmt;
use std::str::FromStr;

/// How many values of each class are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quota {
    /// A share of all values, divided equally among the classes.
    Ratio(Ratio),
    /// This many values in all, divided equally among the classes.
    Size(u64),
    /// This many of each class.
    PerClass(u64),
}

impl Quota {
    /// Returns the largest number of values that is kept of one class, from the numbers of values and classes. The
    /// share of a class is rounded down, but it is at least one: every class is covered.
    ///
    /// ```
    /// use smallscope_runner::criteria::Quota;
    /// let tenth = Quota::Ratio("0.1".parse().unwrap());
    /// // Heaps of up to 3 nodes in the paper's table VIII: 8 values of 84 in 4 classes are 2 of each.
    /// assert_eq!(tenth.most(84, 4), 2);
    /// assert_eq!(tenth.most(36, 9), 1);
    /// assert_eq!(Quota::Size(100).most(84, 7), 14);
    /// assert_eq!(Quota::PerClass(3).most(84, 4), 3);
    /// ```
    #[inline]
    pub fn most(self, values: u64, classes: u64) -> u64 {
        let total = match self {
            Quota::PerClass(most) => return most.max(1),
            Quota::Size(size) => size,
            Quota::Ratio(ratio) => ratio.of(values),
        };
        (total / classes.max(1)).max(1)
    }

    /// Whether the quota needs the number of all values.
    pub fn needs_total(self) -> bool {
        matches!(self, Quota::Ratio(_))
    }
}

impl fmt::Display for Quota {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quota::Ratio(ratio) => write!(f, "ratio {ratio}"),
            Quota::Size(size) => write!(f, "size {size}"),
            Quota::PerClass(most) => write!(f, "per-class {most}"),
        }
    }
}

/// A share, greater than 0 and at most 1. It is exact: a tenth of 30 values is 3.
///
/// ```
/// use smallscope_runner::criteria::Ratio;
/// let ratio: Ratio = "0.29".parse().unwrap();
/// assert_eq!(ratio.of(100), 29);
/// assert_eq!("29%".parse(), Ok(ratio));
/// assert!("1.5".parse::<Ratio>().is_err());
/// assert!("0".parse::<Ratio>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    numerator: u64,
    denominator: u64,
}

impl Ratio {
    /// Returns the share of a number, rounded down.
    pub fn of(self, values: u64) -> u64 {
        (u128::from(values) * u128::from(self.numerator) / u128::from(self.denominator)) as u64
    }

    /// Returns the ratio with the decimal digits that the number prints.
    #[inline]
    pub fn from_f64(ratio: f64) -> Result<Ratio, String> {
        ratio.to_string().parse()
    }
}

impl fmt::Display for Ratio {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.denominator.ilog10() as usize;
        if digits == 0 {
            return write!(f, "{}", self.numerator);
        }
        let text = format!("{:0width$}", self.numerator, width = digits + 1);
        let (whole, rest) = text.split_at(text.len() - digits);
        write!(f, "{whole}.{rest}")
    }
}

impl FromStr for Ratio {
    type Err = String;
    fn from_str(s: &str) -> Result<Ratio, String> {
        let wrong = || {
            format!(
                "`{s}` is no ratio: it must be greater than 0 and at most 1, such as `0.1` for a tenth of all values"
            )
        };
        let (number, percent) = match s.trim().strip_suffix('%') {
            Some(number) => (number.trim(), 2),
            None => (s.trim(), 0),
        };
        let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
        let rest = rest.trim_end_matches('0');
        let is_number = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() && rest.is_empty() || !is_number(whole) || !is_number(rest) || rest.len() > 15 {
            return Err(wrong());
        }
        let mut numerator: u64 = format!("0{whole}{rest}").parse().map_err(|_| wrong())?;
        let mut denominator = 10u64.pow((rest.len() + percent) as u32);
        while numerator % 10 == 0 && denominator > 1 {
            (numerator, denominator) = (numerator / 10, denominator / 10);
        }
        if numerator == 0 || numerator > denominator {
            return Err(wrong());
        }
        Ok(Ratio { numerator, denominator })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_exact_and_print_as_they_were_written() {
        for (text, shown, of) in
            [("0.1", "0.1", 84), ("0.010", "0.01", 8), ("1", "1", 845), ("1.0", "1", 845)]
        {
            let ratio: Ratio = text.parse().unwrap();
            assert_eq!((ratio.to_string(), ratio.of(845)), (shown.to_owned(), of));
            assert_eq!(ratio.to_string().parse(), Ok(ratio));
        }
        assert_eq!("10%".parse::<Ratio>(), "0.1".parse());
        assert_eq!("0.5%".parse::<Ratio>().unwrap().of(1000), 5);
        assert_eq!(Ratio::from_f64(0.29).unwrap().of(100), 29);
        assert_eq!(Ratio::from_f64(1e-7).unwrap().of(u64::MAX), u64::MAX / 10_000_000);
    }

    #[test]
    fn what_is_no_share_is_refused() {
        for text in
            ["", "0", "0.0", "-0.1", "1.1", "2", "110%", "x", ".", "0,1", "NaN", "inf", "0.1.2", "1e-3"]
        {
            let error = text.parse::<Ratio>().unwrap_err();
            assert!(error.contains("greater than 0 and at most 1"), "{text}: {error}");
        }
        assert!(Ratio::from_f64(f64::NAN).is_err() && Ratio::from_f64(f64::INFINITY).is_err());
    }

    #[test]
    fn every_class_gets_one_at_least() {
        for quota in [Quota::Ratio("0.000001".parse().unwrap()), Quota::Size(1), Quota::PerClass(1)] {
            assert_eq!(quota.most(1000, 500), 1);
            assert_eq!(quota.most(0, 0), 1);
        }
    }
}
