//! Tokens with holes.
//!
//! `quote!` of the crate `quote` compiles a call for each token, and every user compiles the macros: these calls were a
//! fifth of all calls in this crate. The macros here have the same syntax, but a template is compiled as text, and only its
//! holes are compiled as calls.
//!
//! A template may repeat one list (`#(#items),*`, a slice or a vector). What repeats more is written with `quote::quote!`.

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree, token_stream};
use quote::ToTokens;

/// A template and what stands in its holes, from left to right.
pub(crate) struct Template<'v> {
    text: &'static str,
    holes: Vec<Hole<'v>>,
}

enum Hole<'v> {
    One(&'v dyn ToTokens),
    List(Vec<TokenStream>),
}

impl<'v> Template<'v> {
    pub(crate) fn new(text: &'static str) -> Template<'v> {
        Template { text, holes: Vec::new() }
    }

    pub(crate) fn one(&mut self, value: &'v dyn ToTokens) {
        self.holes.push(Hole::One(value));
    }

    pub(crate) fn list<T: ToTokens>(&mut self, items: &[T]) {
        let mut all = Vec::with_capacity(items.len());
        for item in items {
            all.push(item.to_token_stream());
        }
        self.holes.push(Hole::List(all));
    }

    /// The tokens. Without a span, the ones of the template have the span of the macro call.
    pub(crate) fn filled(&self, span: Option<Span>) -> TokenStream {
        let tokens: TokenStream = self.text.parse().expect("a template is Rust");
        let mut filling = Filling { holes: self.holes.iter(), operator: String::new(), span };
        let filled = filling.fill(tokens);
        debug_assert!(filling.holes.next().is_none(), "`{}` has fewer holes", self.text);
        filled
    }
}

/// The operators of more than one character.
const OPERATORS: [&str; 25] = [
    "!=", "%=", "&&", "&=", "*=", "+=", "-=", "->", "..", "...", "..=", "/=", "::", "<-", "<<", "<<=", "<=",
    "==", "=>", ">=", ">>", ">>=", "^=", "|=", "||",
];

struct Filling<'h, 'v> {
    holes: std::slice::Iter<'h, Hole<'v>>,
    /// What the current operator consists of so far.
    operator: String,
    span: Option<Span>,
}

impl Filling<'_, '_> {
    fn fill(&mut self, tokens: TokenStream) -> TokenStream {
        let mut filled = Vec::new();
        let mut tokens = tokens.into_iter();
        let mut next = tokens.next();
        while let Some(token) = next {
            next = tokens.next();
            let is_hole = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
            match &next {
                Some(TokenTree::Ident(_)) if is_hole => {
                    if let Some(Hole::One(value)) = self.holes.next() {
                        filled.extend(value.to_token_stream());
                    }
                    next = tokens.next();
                }
                Some(TokenTree::Group(group)) if is_hole && group.delimiter() == Delimiter::Parenthesis => {
                    if let Some(Hole::List(items)) = self.holes.next() {
                        let separator = separator(&mut tokens);
                        for (i, item) in items.iter().enumerate() {
                            if i > 0 {
                                filled.extend(separator.clone());
                            }
                            filled.extend(item.clone());
                        }
                    }
                    next = tokens.next();
                }
                next => filled.push(self.own(token, next.as_ref())),
            }
        }
        filled.into_iter().collect()
    }

    /// A token of the template. It joins the next one only inside of an operator: some macros look at how tokens are
    /// printed.
    fn own(&mut self, mut token: TokenTree, next: Option<&TokenTree>) -> TokenTree {
        match &token {
            TokenTree::Group(group) => {
                token = Group::new(group.delimiter(), self.fill(group.stream())).into();
            }
            TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint && punct.as_char() != '\'' => {
                self.operator.push(punct.as_char());
                let is_longer = match next {
                    Some(TokenTree::Punct(next)) => {
                        OPERATORS.contains(&&*format!("{}{}", self.operator, next.as_char()))
                    }
                    _ => false,
                };
                if !is_longer {
                    self.operator.clear();
                    token = Punct::new(punct.as_char(), Spacing::Alone).into();
                }
            }
            _ => self.operator.clear(),
        }
        if let Some(span) = self.span {
            token.set_span(span);
        }
        token
    }
}

/// What stands between the items of a list; the star behind it is taken, too.
fn separator(tokens: &mut token_stream::IntoIter) -> Vec<TokenTree> {
    let mut separator = Vec::new();
    loop {
        match tokens.next() {
            Some(TokenTree::Punct(punct)) if punct.as_char() != '*' => separator.push(punct),
            _ => break,
        }
    }
    let last = separator.pop().map(|punct| Punct::new(punct.as_char(), Spacing::Alone));
    separator.into_iter().chain(last).map(TokenTree::from).collect()
}

/// Tokens, as the macro of the same name of the crate `quote` makes them.
macro_rules! quote {
    () => { ::proc_macro2::TokenStream::new() };
    (# $value:ident) => { ::quote::ToTokens::to_token_stream(&$value) };
    ($($token:tt)*) => { $crate::syntax::template!(None, $($token)*) };
}

/// Tokens that have a span, as the macro of the same name of the crate `quote` makes them.
macro_rules! quote_spanned {
    ($span:expr=> $($token:tt)*) => {{
        let span: ::proc_macro2::Span = $span;
        $crate::syntax::template!(Some(span), $($token)*)
    }};
}

/// A node of a syntax tree, as the macro of the same name of the crate `syn` makes it.
macro_rules! parse_quote {
    ($($token:tt)*) => {{
        let tokens = $crate::syntax::quote!($($token)*);
        ::syn::parse_quote!(#tokens)
    }};
}

/// A node of a syntax tree whose tokens have a span, as the macro of the same name of the crate `syn` makes it.
macro_rules! parse_quote_spanned {
    ($span:expr=> $($token:tt)*) => {{
        let tokens = $crate::syntax::quote_spanned!($span=> $($token)*);
        ::syn::parse_quote!(#tokens)
    }};
}

macro_rules! template {
    ($span:expr, $($token:tt)*) => {{
        #[allow(unused_mut)]
        let mut template = $crate::syntax::template::Template::new(stringify!($($token)*));
        $crate::syntax::holes!(template {^ $($token)*} {$($token)* ^});
        template.filled($span)
    }};
}

/// Fills the holes of a template: looks at each token together with the one before it.
macro_rules! holes {
    ($template:ident {$($before:tt)*} {$($token:tt)*}) => { $($crate::syntax::hole!($template $before $token);)* };
}

macro_rules! hole {
    ($template:ident # $value:ident) => { $template.one(&$value) };
    ($template:ident # (# $items:ident)) => { $template.list(&$items) };
    ($template:ident # ($($token:tt)*)) => { compile_error!("`quote::quote!` repeats more than one list") };
    ($template:ident $before:tt ($($token:tt)*)) => { $crate::syntax::holes!($template {^ $($token)*} {$($token)* ^}) };
    ($template:ident $before:tt [$($token:tt)*]) => { $crate::syntax::holes!($template {^ $($token)*} {$($token)* ^}) };
    ($template:ident $before:tt {$($token:tt)*}) => { $crate::syntax::holes!($template {^ $($token)*} {$($token)* ^}) };
    ($template:ident $before:tt $token:tt) => {};
}

pub(crate) use {hole, holes, parse_quote, parse_quote_spanned, quote, quote_spanned, template};

#[cfg(test)]
mod tests {
    use super::quote;
    use proc_macro2::{Span, TokenStream};
    use quote::ToTokens;

    /// The two macros make the same tokens of the same template.
    macro_rules! check {
        ($($token:tt)*) => {
            assert_eq!(quote!($($token)*).to_string(), quote::quote!($($token)*).to_string());
            let span = Span::mixed_site();
            let (ours, theirs) = (quote_spanned!(span=> $($token)*), quote::quote_spanned!(span=> $($token)*));
            assert_eq!(spans(ours), spans(theirs));
        };
    }

    fn spans(tokens: TokenStream) -> Vec<String> {
        tokens.into_iter().map(|token| format!("{token:?}")).collect()
    }

    #[test]
    fn templates_are_filled_as_by_the_crate_quote() {
        let (name, number, text, nothing) = (quote::format_ident!("name"), 7_u32, "t\"\n", None::<u8>);
        let (items, tokens) = (vec![1_u8, 2, 3], quote::quote!(a::<'b, _> >> c).to_token_stream());
        check!(fn #name<'a>(x: &'a mut u8) -> u8 { #[allow(unused)] let y = [#number, #text]; x.#name(|z| z >>= 1 #nothing) });
        check!(#(#items)* | #(#items),* | #(#items);* | #(#items)||*);
        check!(match #tokens { 'x' | b'y' => r#"raw"#, -1.5e3 => "text # name", _ if a && !b => ..= });
        check!(#name);
        check!(into::<Self>(a::b::<C>::d, <T as U>::V, x>>=y, &&&z, |_|#name, -#number, ..=#number, *&'a, a..-b));
        check!(#name #name);
        check!(
            macro_rules! m {
                ($x:tt) => {
                    $x
                };
            }
        );
        check!();
    }
}
