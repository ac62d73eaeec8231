//! From the attribute and its item to the item with mutants, and their list.

use super::args::{Args, Equivalent, is_skipped};
use super::pairs::{Names, Pair, can_be_divided, divide};
use super::rewrite::{Found, Rewriter};
use super::without_marks;
use crate::syntax::{can_be_there_twice, ends_with, parse_quote, quote, quote_spanned, text};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use std::sync::atomic::{AtomicUsize, Ordering};
use syn::spanned::Spanned;
use syn::{
    Attribute, Block, Error, ImplItem, ImplItemFn, Item, ItemFn, ItemImpl, Path, Result, Signature, Stmt,
    Type,
};

/// The attribute. If something is wrong, the item stays as it is, so that there are no further errors about it.
pub(crate) fn attribute(args: TokenStream, item: TokenStream) -> TokenStream {
    match expand(args, item.clone()) {
        Ok(tokens) => tokens,
        Err(error) => {
            let error = error.to_compile_error();
            let item = without_marks(item);
            quote!(#error #item)
        }
    }
}

fn expand(args: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let args = Args::parse(args)?;
    let krate = args.krate.clone().unwrap_or_else(|| parse_quote!(::smallscope));
    // Each use of the attribute needs a name of its own, also where a macro makes several of them in one line.
    static USES: AtomicUsize = AtomicUsize::new(0);
    let number = USES.fetch_add(1, Ordering::Relaxed);
    let list = format_ident!("__SMALLSCOPE_MUTANTS_{number}");
    let mut rewriter = Rewriter::new(&krate, &list);
    match syn::parse2(item)? {
        Item::Impl(mut block) => {
            check_block(&block)?;
            let (of, is_inherent) = (name_of(&block), block.trait_.is_none());
            let is_covered = block.attrs.iter().any(|attr| ends_with(attr.path(), "cover"));
            let (mut members, mut pairs) = (vec![], vec![]);
            for mut member in std::mem::take(&mut block.items) {
                if let ImplItem::Fn(function) = &mut member {
                    let is_skipped = is_skipped(&mut function.attrs)?;
                    let name = format!("{of}::{}", function.sig.ident);
                    let is_divided = is_inherent
                        && can_be_divided(function)
                        && !is_constant(&function.attrs, &function.sig)
                        && can_be_there_twice(&function.sig, &function.block);
                    if !is_skipped && is_divided {
                        // Also without mutants of its own: what it calls may have some, and a mutant elsewhere may call it forever.
                        let mut mutated = function.block.clone();
                        rewriter.function(name, &function.sig, &mut mutated);
                        pairs.push(Pair { method: function.clone(), mutated });
                        continue;
                    } else if !is_skipped && !is_covered {
                        let ImplItemFn { attrs, sig, block, .. } = function;
                        mutate(&mut rewriter, &krate, name, attrs, sig, block);
                    }
                }
                members.push(member);
            }
            let names = Names {
                own: pairs.iter().map(|pair| pair.method.sig.ident.to_string()).collect(),
                named: args.calls.iter().map(ToString::to_string).collect(),
                is_covered,
            };
            // Probes belong to the code as it is written, so the other versions are in a block without them.
            let mut others = is_covered.then(|| without_macros(&block));
            for pair in pairs {
                let [method, plain, mutated] = divide(pair, &names, &krate).map(ImplItem::Fn);
                members.push(plain);
                others.as_mut().map_or(&mut members, |block| &mut block.items).extend([method, mutated]);
            }
            block.items = members;
            let list = list_of(&krate, &list, &rewriter.found, &args.equivalent)?;
            Ok(quote!(#block #others #list))
        }
        Item::Fn(mut function) => {
            let name = function.sig.ident.to_string();
            let ItemFn { attrs, sig, block, .. } = &mut function;
            mutate(&mut rewriter, &krate, name, attrs, sig, block);
            if rewriter.found.is_empty() && args.equivalent.is_empty() {
                return Ok(function.to_token_stream());
            }
            // Inside, because the function may be one of an impl block.
            let list = list_of(&krate, &list, &rewriter.found, &args.equivalent)?;
            let statements = std::mem::take(&mut function.block.stmts);
            *function.block = parse_quote!({ #list #(#statements)* });
            Ok(function.to_token_stream())
        }
        other => Err(Error::new(
            other.span(),
            "`#[mutate]` goes on an impl block or on a function: it compiles small changes of its code",
        )),
    }
}

fn check_block(block: &ItemImpl) -> Result<()> {
    let is_ours = |attr: &&Attribute| {
        let name = attr.path().segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        ["rep_ok", "mirror", "eq_class"].contains(&name.as_str())
    };
    match block.attrs.iter().find(is_ours) {
        Some(attr) => Err(Error::new(
            attr.path().span(),
            "the search runs a copy of this code, which has no mutants; put the functions under test into an impl block of \
             their own",
        )),
        None => Ok(()),
    }
}

/// An empty block of the same type, with attributes that are no macros.
fn without_macros(block: &ItemImpl) -> ItemImpl {
    let kept = ["allow", "warn", "deny", "forbid", "cfg"];
    let is_kept = |attr: &&Attribute| kept.iter().any(|name| attr.path().is_ident(name));
    let attrs = block.attrs.iter().filter(is_kept).cloned().collect();
    ItemImpl { attrs, items: vec![], ..block.clone() }
}

/// `TreeMap` for `tree::TreeMap<K, V>`, and `<TreeMap as Index<K>>` for the block of a trait.
fn name_of(block: &ItemImpl) -> String {
    let name = match &*block.self_ty {
        Type::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default(),
        other => text::of(other.to_token_stream()),
    };
    match &block.trait_ {
        Some((_, path, _)) => {
            let of_trait: String = path.to_token_stream().to_string().split_whitespace().collect();
            format!("<{name} as {of_trait}>")
        }
        None => name,
    }
}

/// Whether a function cannot have mutants: a constant cannot depend on what is active, and code under a condition may not be
/// compiled.
fn is_constant(attributes: &[Attribute], signature: &Signature) -> bool {
    signature.constness.is_some() || attributes.iter().any(|attr| attr.path().is_ident("cfg"))
}

/// Puts the mutants of a function into a second version of it, unless it cannot have two.
fn mutate(
    rewriter: &mut Rewriter<'_>,
    krate: &Path,
    name: String,
    attributes: &mut Vec<Attribute>,
    signature: &Signature,
    body: &mut Block,
) {
    if is_constant(attributes, signature) {
        return;
    }
    let before = rewriter.found.len();
    let original = body.clone();
    rewriter.function(name, signature, body);
    if rewriter.found.len() == before {
        *body = original;
        return;
    }
    let quiet = quiet();
    if !can_be_there_twice(signature, &original) {
        attributes.push(parse_quote!(#quiet));
        return;
    }
    // The code with mutants calls it, too, so the compiler would inline it less.
    if !attributes.iter().any(|attr| attr.path().is_ident("inline") || attr.path().is_ident("cold")) {
        attributes.push(parse_quote!(#[inline]));
    }
    let plain: &[Stmt] = &original.stmts;
    let support = quote!(#krate::__private::mutation);
    *body = parse_quote!({
        if #support::is_on() {
            #quiet
            return #support::elsewhere(move || #body);
        }
        #(#plain)*
    });
}

/// Changed code may be what a lint warns of. Nothing but the original is the user's.
pub(super) fn quiet() -> TokenStream {
    quote! {
        #[allow(
            warnings,
            arithmetic_overflow,
            overflowing_literals,
            unconditional_panic,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
    }
}

fn list_of(krate: &Path, list: &Ident, found: &[Found], equivalent: &[Equivalent]) -> Result<TokenStream> {
    let mut reasons = vec![None; found.len()];
    for Equivalent { id, reason } in equivalent {
        let given = id.value();
        let own = |mutant: &Found| format!("{}::{}::{}", mutant.function, mutant.operator, mutant.hash);
        // The name of the file is in front.
        let is_meant = |mutant: &Found| {
            let rest = given.strip_suffix(&own(mutant));
            rest.is_some_and(|file| {
                file.is_empty() || file.ends_with("::") && file.matches("::").count() == 1
            })
        };
        match found.iter().position(is_meant) {
            Some(number) => reasons[number] = Some(reason.clone()),
            None => {
                return Err(Error::new(
                    id.span(),
                    format!(
                        "there is no mutant `{given}` in this item: the code has changed, or the id is of another one; `cargo \
                         smallscope mutate TEST --list` prints the ids"
                    ),
                ));
            }
        }
    }
    let count = found.len();
    let entries = found.iter().zip(&reasons).map(|(mutant, reason)| {
        let Found { function, operator, hash, before, after, span } = mutant;
        let line = quote_spanned!(*span=> ::core::line!());
        let column = quote_spanned!(*span=> ::core::column!());
        let equivalent = match reason {
            Some(reason) => quote!(::core::option::Option::Some(#reason)),
            None => quote!(::core::option::Option::None),
        };
        quote! {
            #krate::__private::mutation::Mutant {
                function: #function,
                operator: #operator,
                hash: #hash,
                line: #line,
                column: #column,
                before: #before,
                after: #after,
                equivalent: #equivalent,
            }
        }
    });
    let entries: Vec<_> = entries.collect();
    Ok(quote! {
        #[doc(hidden)]
        #[allow(dead_code, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        static #list: #krate::__private::mutation::Mutants = #krate::__private::mutation::Mutants::new(
            ::core::file!(),
            {
                static MUTANTS: [#krate::__private::mutation::Mutant; #count] = [#(#entries),*];
                &MUTANTS
            },
            {
                static SEEN: [::core::sync::atomic::AtomicU8; #count] =
                    [const { ::core::sync::atomic::AtomicU8::new(0) }; #count];
                &SEEN
            },
        );
    })
}

#[cfg(test)]
mod tests {
    use crate::syntax::quote;

    /// What the attribute says about an item that it refuses. The item stays as it is.
    fn refused(args: proc_macro2::TokenStream, item: proc_macro2::TokenStream) -> String {
        let expanded = super::attribute(args, item.clone()).to_string();
        assert!(expanded.ends_with(&item.to_string()), "{expanded}");
        expanded
    }

    #[test]
    fn mistakes_are_named() {
        let function = quote!(
            fn f(x: u8) -> bool {
                x < 3
            }
        );
        for (args, item, message) in [
            (
                quote!(),
                quote!(
                    struct S;
                ),
                "goes on an impl block or on a function",
            ),
            (
                quote!(),
                quote!(
                    #[smallscope::rep_ok]
                    impl S {}
                ),
                "put the functions under test into an impl block of their own",
            ),
            (quote!(skip), function.clone(), "above one inside of an impl block"),
            (quote!(only), function.clone(), "unknown argument `only`"),
            (quote!(calls), function.clone(), "name methods of this type"),
            (quote!(calls("a")), function.clone(), "name methods of this type"),
            (quote!(equivalent("f::ror::000000")), function.clone(), "and why it does the same"),
            (quote!(equivalent("f::ror::000000", " ")), function.clone(), "and why it does the same"),
            (
                quote!(equivalent("f::ror::000000", "why")),
                function.clone(),
                "there is no mutant `f::ror::000000`",
            ),
        ] {
            let said = refused(args, item);
            assert!(said.contains(message), "{said}");
        }
    }

    /// An iterator over a cycle, which a mutant elsewhere has made, may call nothing else.
    #[test]
    fn methods_without_mutants_count_their_steps() {
        let item = quote!(
            impl S {
                fn entry(&self) -> &T {
                    &self.entry
                }
            }
        );
        let expanded = super::attribute(quote!(), item).to_string();
        assert_eq!(expanded.matches(". enter ()").count(), 1, "{expanded}");
    }

    /// The probes of `#[cover]` are in the code as it is written, and in no other version.
    #[test]
    fn a_covered_block_is_divided() {
        let item = quote!(
            #[smallscope::cover(static PART)]
            impl<T> S<T> {
                #[cover(skip)]
                fn f(&self, x: u8) -> bool {
                    x < 3
                }
                fn g(&self) -> impl Iterator<Item = u8> {
                    0..3
                }
            }
        );
        let expanded: syn::File = syn::parse2(super::attribute(quote!(), item)).unwrap();
        let blocks = expanded.items.iter().filter_map(|item| match item {
            syn::Item::Impl(block) => Some((block.attrs.len(), names(block))),
            _ => None,
        });
        let blocks: Vec<(usize, Vec<String>)> = blocks.collect();
        let covered = ["g: false", "__smallscope_plain_f: true"].map(str::to_owned).to_vec();
        let others = ["f: false", "__smallscope_mutated_f: false"].map(str::to_owned).to_vec();
        assert_eq!(blocks, [(1, covered), (0, others)]);
    }

    /// The functions, and whether the other attribute has a mark there.
    fn names(block: &syn::ItemImpl) -> Vec<String> {
        let functions = block.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(function) => Some(function),
            _ => None,
        });
        let is_marked = |f: &syn::ImplItemFn| f.attrs.iter().any(|attr| attr.path().is_ident("cover"));
        functions.map(|f| format!("{}: {}", f.sig.ident, is_marked(f))).collect()
    }

    #[test]
    fn ids_do_not_depend_on_code_elsewhere() {
        let list = |body: proc_macro2::TokenStream| {
            let item = quote!(fn f(x: u8) -> bool { #body x < 3 });
            super::attribute(quote!(equivalent("lib::f::ror::c296e1", "why")), item).to_string()
        };
        for body in [quote!(), quote!(g(1, 2 + x);)] {
            let expanded = list(body);
            assert!(!expanded.contains("compile_error"), "{expanded}");
        }
    }
}
