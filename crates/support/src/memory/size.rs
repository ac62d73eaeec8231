//! Sizes of memory as users write them: `500 MB`, `2 GB`, `1.5GiB`.

use std::fmt;
use std::str::FromStr;

/// The units. Powers of 1000 come first, so that a size that can be written both ways is written with them.
const UNITS: [(&str, u64); 9] = [
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1000),
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("B", 1),
];

/// A number of bytes, read and written with a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes(pub u64);

/// Reads a number and a unit, with or without a space between them. The number may have decimals; it is not zero.
///
/// ```
/// use smallscope_support::memory::Bytes;
/// assert_eq!("2 GB".parse(), Ok(Bytes(2_000_000_000)));
/// assert_eq!("1.5GiB".parse(), Ok(Bytes(3 << 29)));
/// assert!("2".parse::<Bytes>().is_err());
/// ```
impl FromStr for Bytes {
    type Err = ();

    fn from_str(text: &str) -> Result<Bytes, ()> {
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = &text[..text.len() - unit.len()];
        let unit = unit.strip_prefix(' ').unwrap_or(unit);
        let (_, size) = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).ok_or(())?;
        let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
        let whole: u64 = whole.parse().map_err(|_| ())?;
        // Nine decimals of a terabyte are a kilobyte.
        let places = u32::try_from(decimals.len()).ok().filter(|places| *places <= 9).ok_or(())?;
        let decimals: u64 = decimals.parse().map_err(|_| ())?;
        let part = u128::from(decimals) * u128::from(*size) / 10_u128.pow(places);
        let bytes = u128::from(whole) * u128::from(*size) + part;
        u64::try_from(bytes).ok().filter(|bytes| *bytes > 0).map(Bytes).ok_or(())
    }
}

/// Writes the number with the first unit that needs no decimals.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |(_, size): &&(&str, u64)| self.0 % size == 0;
        let (name, size) = UNITS.iter().find(fits).unwrap_or(&("B", 1));
        write!(f, "{} {name}", self.0 / size)
    }
}

/// A size with one decimal, for messages: "1.5 GB".
pub fn approximate(bytes: u64) -> String {
    match UNITS[..4].iter().find(|(_, size)| bytes >= *size) {
        Some((name, size)) => {
            let tenths = u128::from(bytes) * 10 / u128::from(*size);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_users_write_them() {
        let bytes = |text: &str| text.parse().map(|Bytes(n)| n);
        assert_eq!(bytes("2 GB"), Ok(2_000_000_000));
        assert_eq!(bytes("2GB"), Ok(2_000_000_000));
        assert_eq!(bytes("2gb"), Ok(2_000_000_000));
        assert_eq!(bytes("500 MB"), Ok(500_000_000));
        assert_eq!(bytes("0.5 GB"), Ok(500_000_000));
        assert_eq!(bytes("1.25 MiB"), Ok((1 << 20) + (1 << 18)));
        assert_eq!(bytes("7 B"), Ok(7));
    }

    #[test]
    fn other_texts_are_refused() {
        for bad in [
            "",
            "2",
            "GB",
            "0 GB",
            "-1 GB",
            "2  GB",
            "2 G",
            "1.2.3 GB",
            ". GB",
            "1. GB",
            "99999999999 TB",
            "2 GB ",
        ] {
            assert_eq!(bad.parse::<Bytes>(), Err(()), "{bad}");
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        for text in ["2 GB", "2 GiB", "1500 MB", "1 kB", "1025 B", "3 TB"] {
            assert_eq!(text.parse::<Bytes>().map(|size| size.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn messages_round() {
        assert_eq!(approximate(1_540_000_000), "1.5 GB");
        assert_eq!(approximate(999), "999 B");
        assert_eq!(approximate(u64::MAX), "18446744.0 TB");
    }
}
