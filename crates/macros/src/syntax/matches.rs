//! Calls of `matches!`.

use super::ends_with;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Macro, Pat, Result, Token};

/// The arguments of `matches!(expr, pat if guard)`.
pub(crate) struct Matches {
    pub(crate) expr: Expr,
    pub(crate) pat: Pat,
    pub(crate) guard: Option<Expr>,
}

impl Matches {
    /// The arguments, if the macro is called `matches` and takes these.
    pub(crate) fn open(mac: &Macro) -> Option<Matches> {
        if ends_with(&mac.path, "matches") { mac.parse_body().ok() } else { None }
    }
}

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let expr = input.parse()?;
        input.parse::<Token![,]>()?;
        let pat = Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<Token![if]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(Matches { expr, pat, guard })
    }
}
