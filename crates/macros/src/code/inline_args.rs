//! Variables named inside format strings: `format!("{n}")`.
//!
//! A variable that a pattern bound to a cell is written `n.__bind()` where it is used. A string cannot
//! contain that, so it becomes an explicit argument: `format!("{n}", n = n.__bind())`.

use crate::syntax::last_name;
use syn::{Expr, ExprLit, Lit, Macro};

/// The position of the format string among the arguments of the formatting macros of std.
fn format_position(mac: &Macro) -> Option<usize> {
    Some(match last_name(&mac.path).as_str() {
        "format" | "format_args" | "print" | "println" | "eprint" | "eprintln" | "panic" | "todo"
        | "unreachable" | "unimplemented" => 0,
        "write" | "writeln" | "assert" | "debug_assert" => 1,
        "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => 2,
        _ => return None,
    })
}

/// The variables that the format string of a macro call names and the arguments do not define.
pub(super) fn variables(mac: &Macro, args: &[Expr]) -> Vec<String> {
    let Some(Expr::Lit(ExprLit { lit: Lit::Str(format), .. })) =
        format_position(mac).and_then(|i| args.get(i))
    else {
        return vec![];
    };
    let mut found = names(&format.value());
    for arg in args {
        let Expr::Assign(defined) = arg else { continue };
        let Expr::Path(p) = &*defined.left else { continue };
        found.retain(|name| !p.path.is_ident(name));
    }
    found
}

/// The names in a format string: `{n}`, `{n:?}`, and `w` and `p` in `{:w$.p$}`.
fn names(format: &str) -> Vec<String> {
    let mut found = vec![];
    for piece in format.replace("{{", "").split('{').skip(1) {
        let Some((inside, _)) = piece.split_once('}') else { continue };
        let (name, spec) = inside.split_once(':').unwrap_or((inside, ""));
        let mut add = |name: &str| {
            let name = name.trim();
            if name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !found.iter().any(|n| n == name) {
                found.push(name.to_owned());
            }
        };
        add(name);
        for part in spec.split('$').rev().skip(1) {
            let start = part.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |i| i + 1);
            add(&part[start..]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_in_format_strings() {
        assert_eq!(names("a {b} {{c}} {d:?} {} {0} {e:>w$.p$} {b}"), ["b", "d", "e", "p", "w"]);
        assert_eq!(names("nothing }} {{ here"), Vec::<String>::new());
    }
}
