//! The arguments that say which values of each class a test keeps.

use crate::syntax::args::{natural, set, text, value};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitStr, Result, UnOp};

const CRITERIA: [&str; 6] = ["decision", "condition", "mcdc", "cdc", "path", "simple-path"];

/// `criterion = "cdc", ratio = 0.1` and the like.
#[derive(Default)]
pub(super) struct Reduction {
    criterion: Option<LitStr>,
    ratio: Option<Expr>,
    size: Option<Expr>,
    per_class: Option<Expr>,
    seed: Option<Expr>,
}

impl Reduction {
    pub(super) fn parse(&mut self, input: ParseStream<'_>, key: &Ident) -> Result<()> {
        match key.to_string().as_str() {
            "criterion" => set(&mut self.criterion, key, text(input, key, "cdc")?),
            "ratio" => set(&mut self.ratio, key, value(input, key, "0.1")?),
            "size" => set(&mut self.size, key, value(input, key, "100")?),
            "per_class" => set(&mut self.per_class, key, value(input, key, "1")?),
            _ => set(&mut self.seed, key, value(input, key, "7")?),
        }
    }

    pub(super) fn check(&self, has_suite: bool) -> Result<()> {
        let amounts: Vec<&Expr> = [&self.ratio, &self.size, &self.per_class].into_iter().flatten().collect();
        let Some(criterion) = &self.criterion else {
            return match amounts.first().copied().or(self.seed.as_ref()) {
                None => Ok(()),
                Some(given) => Err(Error::new(
                    given.span(),
                    "values are kept by their classes: say by which criterion, such as `criterion = \"cdc\"`",
                )),
            };
        };
        if has_suite {
            return Err(Error::new(
                criterion.span(),
                "a suite is run as it is: leave `criterion` out, and make a smaller suite with `cargo smallscope reduce`",
            ));
        }
        check_name(criterion)?;
        match amounts[..] {
            [_] => {}
            [] => {
                return Err(Error::new(
                    criterion.span(),
                    "say how many values of each class to keep: `ratio = 0.1`, `size = 100` or `per_class = 1`",
                ));
            }
            [_, second, ..] => {
                return Err(Error::new(
                    second.span(),
                    "`ratio`, `size` and `per_class` all say how many values are kept: give one of them",
                ));
            }
        }
        if let Some(ratio) = &self.ratio {
            check_ratio(ratio)?;
        }
        if let Some(size) = &self.size {
            natural(size, "`size` is a positive number of values, such as `size = 100`", 1)?;
        }
        if let Some(per_class) = &self.per_class {
            natural(per_class, "`per_class` is a positive number of values, such as `per_class = 1`", 1)?;
        }
        self.seed.as_ref().map_or(Ok(()), |seed| natural(seed, "`seed` is a number, such as `seed = 7`", 0))
    }

    /// A compile error, unless the smallscope crate hears of decisions.
    pub(super) fn needs(&self, p: &TokenStream) -> Option<TokenStream> {
        self.criterion.as_ref().map(|c| quote::quote_spanned!(c.span()=> #p::needs_criteria!();))
    }

    /// Calls of the builder's methods.
    pub(super) fn settings(&self) -> TokenStream {
        let Reduction { criterion, ratio, size, per_class, seed } = self;
        let criterion = criterion.as_ref().map(|c| quote!(.criterion(#c)));
        let ratio = ratio.as_ref().map(|ratio| match ratio {
            Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => quote!(.ratio(f64::from(#n))),
            ratio => quote!(.ratio(#ratio)),
        });
        let size = size.as_ref().map(|n| quote!(.size(#n)));
        let per_class = per_class.as_ref().map(|n| quote!(.per_class(#n)));
        let seed = seed.as_ref().map(|n| quote!(.seed(#n)));
        quote!(#criterion #ratio #size #per_class #seed)
    }
}

fn check_name(criterion: &LitStr) -> Result<()> {
    let given = criterion.value();
    if CRITERIA.contains(&given.as_str()) {
        return Ok(());
    }
    let near = CRITERIA
        .iter()
        .filter(|name| is_near(&given, name))
        .map(|name| format!("did you mean `\"{name}\"`? "));
    let names = CRITERIA.map(|name| format!("`\"{name}\"`")).join(", ");
    let near = near.into_iter().next().unwrap_or_default();
    Err(Error::new(criterion.span(), format!("unknown criterion `{given}`; {near}the criteria are {names}")))
}

/// Whether one letter is missing, too much or another one, or one name is part of the other.
fn is_near(given: &str, name: &str) -> bool {
    let given = given.to_lowercase().replace(['_', '/', ' '], "-");
    if given.len() > 2 && (name.contains(&given) || given.contains(name))
        || given.replace('-', "") == name.replace('-', "")
    {
        return true;
    }
    let same = given.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&given.as_bytes()[same..], &name.as_bytes()[same..]);
    a.get(1..) == b.get(1..) && !a.is_empty() || a.get(1..) == Some(b) || b.get(1..) == Some(a)
}

/// Literals can be checked here; the run checks other expressions.
fn check_ratio(ratio: &Expr) -> Result<()> {
    let is_wrong = match ratio {
        Expr::Lit(ExprLit { lit: Lit::Float(x), .. }) => {
            x.base10_parse::<f64>().map_or(true, |x| x <= 0.0 || x > 1.0)
        }
        Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse::<u64>().map_or(true, |n| n != 1),
        Expr::Lit(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)),
        _ => false,
    };
    if is_wrong {
        return Err(Error::new(
            ratio.span(),
            "`ratio` is the share of the values to keep, greater than 0 and at most 1, such as `ratio = 0.1`",
        ));
    }
    Ok(())
}
