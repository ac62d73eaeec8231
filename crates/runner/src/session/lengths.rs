//! The lengths of fields, as an option gives them: `items=0..=3,64..=65,name=0..=1`.

use smallscope_core::Bounds;

/// A field and its lengths.
struct Given<'a> {
    field: &'a str,
    lengths: Vec<Lengths>,
}

/// One entry of a list of lengths.
struct Lengths {
    first: u32,
    last: u32,
    is_range: bool,
}

/// Returns the bounds with these lengths in place of others. Of several entries with a range among them, the first is searched,
/// and the others are filled, as in the attribute.
pub fn with_lengths(mut bounds: Bounds, entries: &[String]) -> Result<Bounds, String> {
    for Given { field, lengths } in parse(entries)? {
        bounds = bounds.without_filled(field);
        if lengths.iter().any(|lengths| lengths.is_range) {
            bounds = bounds.len(field, lengths[0].first..=lengths[0].last);
            for Lengths { first, last, .. } in &lengths[1..] {
                bounds = bounds.filled(field, *first..=*last);
            }
        } else {
            bounds = bounds.len(field, lengths.iter().map(|lengths| lengths.first).collect::<Vec<u32>>());
        }
    }
    Ok(bounds)
}

/// Whether some lengths are behind a gap, so that elements are filled. The entries can be read.
pub fn have_gaps(entries: &[String]) -> Result<bool, String> {
    let has_gap =
        |given: &Given<'_>| given.lengths.len() > 1 && given.lengths.iter().any(|lengths| lengths.is_range);
    Ok(parse(entries)?.iter().any(has_gap))
}

fn parse(entries: &[String]) -> Result<Vec<Given<'_>>, String> {
    let mut all: Vec<Given<'_>> = vec![];
    for entry in entries {
        // The `=` of a range comes after its dots.
        let (field, text) = match entry.split_once('=') {
            Some((field, text)) if !field.ends_with("..") => (Some(field.trim()), text.trim()),
            _ => (None, entry.trim()),
        };
        if let Some(field) = field {
            if all.iter().any(|given| given.field == field) {
                return Err(format!("the lengths of `{field}` are given twice: leave one of them out"));
            }
            all.push(Given { field, lengths: vec![] });
        }
        let Some(given) = all.last_mut() else {
            return Err(format!("`{text}` has no field: write `items={text}`"));
        };
        let Some(lengths) = read(text) else {
            return Err(format!(
                "`{text}` is no length: write a number or a range, such as `{}=0..=3,64..=65`",
                given.field
            ));
        };
        given.lengths.push(lengths);
    }
    Ok(all)
}

/// Reads a number, or a range that is not empty.
fn read(text: &str) -> Option<Lengths> {
    let Some((first, last)) = text.split_once("..") else {
        let length = text.parse().ok()?;
        return Some(Lengths { first: length, last: length, is_range: false });
    };
    let first: u32 = first.parse().ok()?;
    let last: u32 = match last.strip_prefix('=') {
        Some(last) => last.parse().ok()?,
        None => last.parse::<u32>().ok()?.checked_sub(1)?,
    };
    (first <= last).then_some(Lengths { first, last, is_range: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(text: &str) -> Result<String, String> {
        let entries: Vec<String> = text.split(',').map(str::to_owned).collect();
        let own = Bounds::scope(3).len("items", 0..=1).filled("items", [99]);
        with_lengths(own, &entries).map(|bounds| bounds.to_string())
    }

    #[test]
    fn lengths_take_the_place_of_others() {
        let is =
            |text: &str, lines: &str| assert_eq!(bounds(text), Ok(format!("scope 3\n{lines}")), "{text}");
        is("items=0..=3,64..=65,4097", "len items = 0..=3\nfilled items = [64, 65, 4097]");
        is("items=0..=3", "filled items = []\nlen items = 0..=3");
        is("items=0..3,7", "len items = 0..=2\nfilled items = [7]");
        // Without a range, all are searched.
        is("items=0,2,4", "filled items = []\nlen items = [0, 2, 4]");
        is(
            "Node.name=2,items=1..=2,9",
            "filled Node.name = []\nlen Node.name = [2]\nlen items = 1..=2\nfilled items = [9]",
        );
        for text in ["items=0..=3,64..=65,4097", "items=0..=3"] {
            let bounds = bounds(text).unwrap();
            assert_eq!(bounds.parse::<Bounds>().unwrap().to_string(), bounds);
        }
    }

    #[test]
    fn gaps_are_told_from_lists() {
        let gaps = |text: &str| have_gaps(&text.split(',').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(gaps("items=0..=3,64"), Ok(true));
        assert_eq!((gaps("items=0..=3"), gaps("items=0,64,a=0..=1")), (Ok(false), Ok(false)));
    }

    #[test]
    fn mistakes_say_what_to_write() {
        for (text, error) in [
            ("3", "`3` has no field: write `items=3`"),
            ("items=x", "`x` is no length: write a number or a range, such as `items=0..=3,64..=65`"),
            ("items=", "`` is no length: write a number or a range, such as `items=0..=3,64..=65`"),
            ("items=5..=2", "`5..=2` is no length: write a number or a range, such as `items=0..=3,64..=65`"),
            ("items=1,items=2", "the lengths of `items` are given twice: leave one of them out"),
        ] {
            assert_eq!(bounds(text), Err(error.to_owned()), "{text}");
        }
    }
}
