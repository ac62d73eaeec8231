//! Values as text for reports: `{:#?}` where the type is `Debug`, cut off where the text gets too long or too deep.

use std::fmt::{self, Debug, Write};

/// A value to show if its type is `Debug`.
///
/// Call `(&Shown(&value)).show()` with both traits in scope: method lookup finds [`ShowDebug`] first if the
/// type is `Debug`, and [`ShowNothing`], one reference further, otherwise.
pub struct Shown<'a, T>(pub &'a T);

/// Shows types that are `Debug`.
pub trait ShowDebug {
    /// Returns the value as text.
    fn show(&self) -> Option<String>;
}

impl<T: Debug> ShowDebug for Shown<'_, T> {
    fn show(&self) -> Option<String> {
        Some(pretty(self.0))
    }
}

/// Shows nothing, for all other types.
pub trait ShowNothing {
    /// Returns none.
    fn show(&self) -> Option<String>;
}

impl<T> ShowNothing for &Shown<'_, T> {
    fn show(&self) -> Option<String> {
        None
    }
}

/// Longer texts are cut off.
const MAX_TEXT: usize = 16 << 10;
/// A `Debug` implementation that uses more stack than this does not end.
const MAX_STACK: usize = 256 << 10;

/// Formats a value with `{:#?}`. Ends even if the structure is cyclic and its `Debug` follows the cycle.
pub(crate) fn pretty(value: &impl Debug) -> String {
    let mut out = Cautious { text: String::new(), stack: stack_address() };
    match write!(out, "{value:#?}") {
        Ok(()) => out.text,
        Err(_) => out.text + " ... (cut off)",
    }
}

/// The name of a type as the user writes it: without paths, and several inputs as a tuple.
#[inline]
pub(crate) fn type_text(name: &str) -> String {
    let product = std::any::type_name::<smallscope_core::values::Product<()>>().trim_end_matches("<()>");
    let inner = name.strip_prefix(product).and_then(|rest| rest.strip_prefix('<')?.strip_suffix('>'));
    let single = inner.and_then(|inner| inner.strip_prefix('(')?.strip_suffix(",)"));
    let name = single.or(inner).unwrap_or(name);
    let mut text = String::new();
    for c in name.chars() {
        text.push(c);
        if text.ends_with("::") {
            let start = text.trim_end_matches("::").rfind(|c: char| !c.is_alphanumeric() && c != '_');
            text.truncate(start.map_or(0, |start| start + 1));
        }
    }
    text
}

struct Cautious {
    text: String,
    stack: usize,
}

impl Write for Cautious {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        if self.text.len() + s.len() > MAX_TEXT || self.stack.abs_diff(stack_address()) > MAX_STACK {
            return Err(fmt::Error);
        }
        self.text.push_str(s);
        Ok(())
    }
}

fn stack_address() -> usize {
    let here = 0u8;
    &raw const here as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Mute;

    #[test]
    #[expect(clippy::needless_borrow, reason = "the reference decides which trait is found")]
    fn types_without_debug_are_not_shown() {
        assert_eq!((&Shown(&7)).show().as_deref(), Some("7"));
        assert_eq!((&Shown(&Mute)).show(), None);
    }

    #[test]
    fn types_have_the_names_that_users_write() {
        use smallscope_core::values::Product;
        let text = |name: &str| type_text(name);
        assert_eq!(text(std::any::type_name::<Product<(Vec<String>,)>>()), "Vec<String>");
        assert_eq!(
            text(std::any::type_name::<Product<(Option<Box<u8>>, (u8, bool))>>()),
            "(Option<Box<u8>>, (u8, bool))"
        );
        assert_eq!(text("app::tree::Tree<smallscope_core::key::Key>"), "Tree<Key>");
        assert_eq!(text("[app::a_b::C; 2]"), "[C; 2]");
    }

    #[test]
    fn an_endless_debug_is_cut_off() {
        struct Pretty;
        impl Debug for Pretty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct("P").field("next", self).finish()
            }
        }
        struct Plain;
        impl Debug for Plain {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("")?;
                Plain.fmt(f)
            }
        }
        assert!(pretty(&Pretty).ends_with("(cut off)"));
        assert!(pretty(&Plain).ends_with("(cut off)"));
    }
}
