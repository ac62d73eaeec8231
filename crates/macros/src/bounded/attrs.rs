//! `#[bounded(..)]` on types and fields, with the spans kept.

use crate::syntax::args::{did_you_mean, gaps};
use crate::syntax::last_name as name;
use proc_macro2::Span;
use smallscope_support::text::joined;
use syn::meta::ParseNestedMeta;
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, Ident, LitStr, Meta, Path, Result};

/// `#[bounded(..)]` on a type.
#[derive(Default)]
pub(crate) struct TypeAttrs {
    /// `objects = n`: the number of objects of this type, as a function of `scope`.
    pub(crate) objects: Option<Expr>,
    /// `no_invariant`: every value is valid.
    pub(crate) no_invariant: Option<Span>,
    /// `derive(PartialEq)`: derives for the mirror.
    pub(crate) derives: Vec<Path>,
    /// The place of `derive`.
    pub(crate) derive: Option<Span>,
    /// `unsafe(raw_pointers)`: the author vouches for the type's destructor.
    pub(crate) raw_pointers: bool,
    /// `unsafe(parts)`: the author vouches that unsafe code about one part does not rely on conjuncts about others.
    pub(crate) unsafe_parts: bool,
    /// `frozen`: code with a shared reference does not change what raw pointers lead to.
    pub(crate) frozen: Option<Span>,
    /// `linearize`: also implements `Linearize`, which compares the values that calls lead to.
    pub(crate) linearize: Option<Span>,
    /// `crate = path`: the path of the `smallscope` crate.
    pub(crate) krate: Option<Path>,
}

/// `#[bounded(..)]` on a field.
#[derive(Default)]
pub(crate) struct FieldAttrs {
    pub(crate) range: Option<Expr>,
    pub(crate) set: Option<Expr>,
    pub(crate) len: Option<Expr>,
    /// The lengths behind a gap, as ranges.
    pub(crate) filled: Vec<Expr>,
    pub(crate) alphabet: Option<LitStr>,
    pub(crate) values: Option<Expr>,
    pub(crate) variants: Option<Vec<Ident>>,
    pub(crate) pool: Option<LitStr>,
    pub(crate) part: Option<LitStr>,
    pub(crate) non_null: Option<Span>,
    pub(crate) index: Option<LitStr>,
    pub(crate) by_reference: Option<Span>,
    pub(crate) derived: Option<Path>,
    pub(crate) unchecked: Option<Span>,
    /// How the field is drawn, as words that the crate that draws reads.
    pub(crate) view: Option<String>,
    /// The keys that were given, for rules about combinations.
    pub(crate) given: Vec<Ident>,
}

fn set<T>(slot: &mut Option<T>, key: &Path, value: T) -> Result<()> {
    match slot.replace(value) {
        Some(_) => Err(Error::new(key.span(), format!("`{}` is given twice: remove one of them", name(key)))),
        None => Ok(()),
    }
}

const TYPE_KEYS: &[&str] = &["objects", "no_invariant", "derive", "unsafe", "frozen", "linearize", "crate"];
const FIELD_KEYS: &[&str] = &[
    "range",
    "set",
    "len",
    "alphabet",
    "values",
    "variants",
    "pool",
    "part",
    "non_null",
    "index",
    "by_reference",
    "derived",
    "unchecked",
    "view",
];

/// The words of `view(..)`, as the crate that draws has them: places, and what goes with any of them.
const VIEWS: [&str; 9] = ["hide", "left", "right", "below", "next", "previous", "parent", "inline", "color"];
/// How many of them are places.
const PLACES: usize = 7;

/// Whether an attribute has its arguments where they belong.
fn in_parentheses(attr: &Attribute, example: &str) -> Result<()> {
    match &attr.meta {
        Meta::List(_) => Ok(()),
        other => Err(Error::new(
            other.span(),
            format!("`#[bounded]` has arguments in parentheses: write `{example}`"),
        )),
    }
}

/// The value behind `key =`.
fn value<T: Parse>(meta: &ParseNestedMeta<'_>, example: &str) -> Result<T> {
    let write = |at| {
        Error::new(at, format!("`{0}` is not given like this: write `{0} = {example}`", name(&meta.path)))
    };
    let value = meta.value().map_err(|_| write(meta.path.span()))?;
    value.parse().map_err(|e| write(e.span()))
}

/// The words in `view(..)`, with a new name at the end: `left color rename:height`.
fn view(meta: &ParseNestedMeta<'_>) -> Result<String> {
    let (mut words, mut label, mut has_words) = (vec![], None, false);
    let write = |at| {
        let words = joined(&VIEWS.map(|word| format!("`{word}`")), ", ");
        Error::new(at, format!("`view(..)` says how a field is drawn: write {words} or `rename = \"name\"`"))
    };
    let parsed = parse_paths(meta, &mut |m| {
        has_words = true;
        match name(&m.path).as_str() {
            "rename" => {
                let new: LitStr = value(&m, "\"name\"")?;
                if new.value().trim().is_empty() {
                    return Err(Error::new(
                        new.span(),
                        "`rename` has an empty name: write `rename = \"height\"`",
                    ));
                }
                set(&mut label, &m.path, new.value())
            }
            word => {
                let known =
                    VIEWS.iter().position(|known| *known == word).ok_or_else(|| write(m.path.span()))?;
                if known < PLACES && words.iter().any(|before| *before < PLACES) {
                    return Err(Error::new(m.path.span(), "`view(..)` has two places: remove one of them"));
                }
                words.push(known);
                Ok(())
            }
        }
    });
    // Without parentheses there is nothing inside that the error could be about.
    parsed.map_err(|error| if has_words { error } else { write(meta.path.span()) })?;
    let mut text = words.into_iter().map(|word| VIEWS[word]).collect::<Vec<_>>().join(" ");
    if let Some(label) = label {
        text += &format!(" rename:{label}");
    }
    if text.is_empty() { Err(write(meta.path.span())) } else { Ok(text) }
}

/// A range with both ends, as far as the syntax tells.
fn range(meta: &ParseNestedMeta<'_>, example: &str, otherwise: &str) -> Result<Expr> {
    as_range(meta, value(meta, example)?, example, otherwise)
}

fn as_range(meta: &ParseNestedMeta<'_>, expr: Expr, example: &str, otherwise: &str) -> Result<Expr> {
    let is_wrong = match &expr {
        Expr::Range(r) => r.start.is_none() || r.end.is_none(),
        e => matches!(e, Expr::Array(_) | Expr::Lit(_) | Expr::Tuple(_)),
    };
    if is_wrong {
        let key = name(&meta.path);
        return Err(Error::new(
            expr.span(),
            format!("`{key}` takes a range with both ends, such as `{key} = {example}`; {otherwise}"),
        ));
    }
    Ok(expr)
}

/// A list of integers, as far as the syntax tells.
fn list(meta: &ParseNestedMeta<'_>) -> Result<Expr> {
    let expr: Expr = value(meta, "[1, 3]")?;
    if matches!(expr, Expr::Range(_) | Expr::Lit(_) | Expr::Tuple(_)) {
        return Err(Error::new(
            expr.span(),
            "`set` takes a list, such as `set = [1, 3]`; for a range write `range = 0..=9`",
        ));
    }
    Ok(expr)
}

/// The values of a field: a list or an expression for one.
fn values(meta: &ParseNestedMeta<'_>) -> Result<Expr> {
    let expr: Expr = value(meta, "[..]")?;
    match expr {
        Expr::Lit(lit) => Err(Error::new(lit.span(), "`values` takes a list: write `values = [1, 2]`")),
        other => Ok(other),
    }
}

/// The name of a part.
fn part(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    let name: LitStr = value(meta, "\"name\"")?;
    match name.value().trim() {
        "" => Err(Error::new(name.span(), "a part needs a name, `part = \"cache\"`")),
        _ => Ok(name),
    }
}

/// Reads the arguments of an attribute.
pub(super) fn parse_nested(
    attr: &Attribute,
    parse_one: &mut dyn FnMut(ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    attr.parse_nested_meta(parse_one)
}

/// Reads the paths in the parentheses of an argument.
fn parse_paths(
    meta: &ParseNestedMeta<'_>,
    parse_one: &mut dyn FnMut(ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    meta.parse_nested_meta(parse_one)
}

impl TypeAttrs {
    pub(crate) fn parse(attrs: &[Attribute]) -> Result<TypeAttrs> {
        let mut out = TypeAttrs::default();
        for attr in attrs {
            if !attr.path().is_ident("bounded") {
                continue;
            }
            in_parentheses(attr, "#[bounded(objects = 3)]")?;
            parse_nested(attr, &mut |meta| {
                match name(&meta.path).as_str() {
                "objects" => set(&mut out.objects, &meta.path, value(&meta, "scope")?),
                "no_invariant" => set(&mut out.no_invariant, &meta.path, meta.path.span()),
                "frozen" => set(&mut out.frozen, &meta.path, meta.path.span()),
                "linearize" => set(&mut out.linearize, &meta.path, meta.path.span()),
                "crate" => set(&mut out.krate, &meta.path, value(&meta, "path::to::smallscope")?),
                "derive" => {
                    out.derive.get_or_insert(meta.path.span());
                    parse_paths(&meta, &mut |m| {
                        out.derives.push(m.path);
                        Ok(())
                    })
                }
                "unsafe" => parse_paths(&meta, &mut |m| {
                    if m.path.is_ident("raw_pointers") {
                        out.raw_pointers = true;
                        Ok(())
                    } else if m.path.is_ident("parts") {
                        out.unsafe_parts = true;
                        Ok(())
                    } else {
                        Err(m.error("unknown promise in `unsafe(..)`: expected `unsafe(raw_pointers)` or `unsafe(parts)`"))
                    }
                }),
                "range" | "set" | "len" | "alphabet" | "values" | "variants" | "pool" | "part" | "non_null" | "index" | "by_reference" | "derived" | "unchecked" | "view" => {
                    Err(meta.error(format!("`{}` goes on a field, not on the type", name(&meta.path))))
                }
                unknown => Err(meta.error(format!(
                    "unknown key `{unknown}`{}; on a type `#[bounded(..)]` takes `objects = n`, `no_invariant`, `derive(..)`, `unsafe(raw_pointers)`, `unsafe(parts)`, `frozen`, `linearize`, `crate = path`",
                    did_you_mean(unknown, TYPE_KEYS),
                ))),
            }
            })?;
        }
        Ok(out)
    }
}

impl FieldAttrs {
    pub(crate) fn parse(attrs: &[Attribute]) -> Result<FieldAttrs> {
        let mut out = FieldAttrs::default();
        for attr in attrs {
            if !attr.path().is_ident("bounded") {
                continue;
            }
            in_parentheses(attr, "#[bounded(range = 0..=9)]")?;
            parse_nested(attr, &mut |meta| {
                // How a field is drawn has nothing to do with its values.
                if let Some(key) = meta.path.get_ident().filter(|key| *key != "view") {
                    out.given.push(key.clone());
                }
                match name(&meta.path).as_str() {
                    "range" => set(&mut out.range, &meta.path, range(&meta, "0..=9", "for a list write `set = [1, 3]`")?),
                    "set" => set(&mut out.set, &meta.path, list(&meta)?),
                    "len" => {
                        let other = "for a list of lengths use `Bounds::len`";
                        let mut lengths: Expr = value(&meta, "0..=4")?;
                        if let Some((searched, filled)) = gaps(&lengths) {
                            (lengths, out.filled) = (searched, filled);
                        }
                        set(&mut out.len, &meta.path, as_range(&meta, lengths, "0..=4", other)?)
                    }
                    "alphabet" => set(&mut out.alphabet, &meta.path, value(&meta, "\"abc\"")?),
                    "values" => set(&mut out.values, &meta.path, values(&meta)?),
                    "pool" => set(&mut out.pool, &meta.path, value(&meta, "\"name\"")?),
                    "part" => set(&mut out.part, &meta.path, part(&meta)?),
                    "index" => set(&mut out.index, &meta.path, value(&meta, "\"field\"")?),
                    "by_reference" => set(&mut out.by_reference, &meta.path, meta.path.span()),
                    "derived" => set(&mut out.derived, &meta.path, value(&meta, "Self::method")?),
                    "non_null" => set(&mut out.non_null, &meta.path, meta.path.span()),
                    "unchecked" => set(&mut out.unchecked, &meta.path, meta.path.span()),
                    "view" => set(&mut out.view, &meta.path, view(&meta)?),
                    "variants" => {
                        let mut variants = vec![];
                        parse_paths(&meta, &mut |m| {
                            variants.push(m.path.require_ident()?.clone());
                            Ok(())
                        })?;
                        set(&mut out.variants, &meta.path, variants)
                    }
                    "objects" | "no_invariant" | "derive" | "unsafe" | "frozen" | "linearize" | "crate" => {
                        Err(meta.error(format!("`{}` goes on the type, not on a field", name(&meta.path))))
                    }
                    unknown => Err(meta.error(format!(
                        "unknown key `{unknown}`{}; on a field `#[bounded(..)]` takes `range = 0..=9`, `set = [..]`, `len = 0..=4`, `alphabet = \"ab\"`, \
                         `values = [..]`, `variants(..)`, `pool = \"name\"`, `part = \"name\"`, `non_null`, `index = \"field\"`, `by_reference`, `derived = Self::method`, `unchecked`, `view(..)`",
                        did_you_mean(unknown, FIELD_KEYS),
                    ))),
                }
            })?;
        }
        out.check_combinations()?;
        Ok(out)
    }

    /// Where a key was given.
    pub(crate) fn key(&self, name: &str) -> Option<&Ident> {
        self.given.iter().find(|key| *key == name)
    }

    /// `values`, `derived` and `index` each determine the values of a field completely.
    fn check_combinations(&self) -> Result<()> {
        for complete in ["values", "derived", "index"] {
            let Some(key) = self.key(complete) else { continue };
            // A vector of indices still has a length.
            let fits = |k: &Ident| {
                k == "part" && complete != "derived"
                    || complete == "index" && (k == "len" || k == "non_null" || k == "by_reference")
            };
            if let Some(other) = self.given.iter().find(|k| *k != key && !fits(k)) {
                return Err(Error::new(
                    other.span(),
                    format!("`{other}` cannot be combined with `{complete}`: remove one of them"),
                ));
            }
        }
        if let (None, Some(span)) = (&self.index, self.by_reference) {
            return Err(Error::new(span, "`by_reference` is for indices: add `index = \"field\"`"));
        }
        if let (Some(_), Some(set)) = (&self.range, &self.set) {
            return Err(Error::new(
                set.span(),
                "`range` and `set` both give the integers: remove one of them",
            ));
        }
        Ok(())
    }
}
