//! Canonical form as text, and back.

use std::fmt::Write;

use num_bigint::BigUint;

use super::Test;
use crate::context::{CallId, Context, Error, Kind, Place};

impl Test {
    /// Canonical form 3: one call to a line, with places in pools for everything that it takes and returns.
    pub fn to_canonical(&self, context: &Context) -> String {
        self.calls.iter().map(|call| call_text(context, *call) + "\n").collect()
    }

    /// The canonical form on one line.
    pub fn to_line(&self, context: &Context) -> String {
        let calls: Vec<_> = self.calls.iter().map(|call| call_text(context, *call)).collect();
        calls.join("; ")
    }

    /// The test that a text means: its calls in canonical form, or its length and its index, as in `3:17`.
    ///
    /// ```
    /// # use smallscope_sequences::{Context, Pool, Test, by_mut, nothing, value};
    /// # let context = Context::builder()
    /// #     .pool(Pool::empty(1).and(vec![0u8]).named("v"))
    /// #     .pool(Pool::of([7u8, 9]))
    /// #     .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| v.push(x))
    /// #     .build()?;
    /// let test = Test::find(&context, "2:1")?;
    /// assert_eq!(test.to_line(&context), "v[0].push(u8_[1]); v[0].push(u8_[0])");
    /// assert_eq!(Test::find(&context, &test.to_line(&context))?, test);
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn find(context: &Context, text: &str) -> Result<Test, Error> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.trim().split_once(':') {
            Some((length, index)) if is_number(length) && is_number(index) => {
                let index = index.parse::<BigUint>().unwrap_or_default();
                let length = length.parse().ok().filter(|length| u32::try_from(*length).is_ok());
                let length = length.ok_or_else(|| Error::BadRequest {
                    what: format!("`{text}` has too many calls; a test has at most {}", u32::MAX),
                })?;
                context.test_at(length, &index)
            }
            _ => Test::parse(context, text),
        }
    }

    /// Reads what [`Test::to_canonical`] writes. Calls are separated by line ends or semicolons.
    pub fn parse(context: &Context, text: &str) -> Result<Test, Error> {
        let parts = text.split(['\n', ';']).map(str::trim).filter(|part| !part.is_empty());
        Ok(Test { calls: parts.map(|part| parse_call(context, part)).collect::<Result<_, _>>()? })
    }
}

/// A call in canonical form.
pub(crate) fn call_text(context: &Context, call: CallId) -> String {
    let decoded = context.decode(call);
    let method = &context.methods[decoded.method];
    let place = |i: usize| place_name(context, decoded.places[i]);
    let mut text = String::new();
    if method.result.is_some() {
        let _ = write!(text, "{} = ", place(method.params.len()));
    }
    let first = match method.kind {
        Kind::Function => 0,
        Kind::Method => {
            let _ = write!(text, "{}.", place(0));
            1
        }
    };
    let arguments: Vec<_> = (first..method.params.len()).map(place).collect();
    let _ = write!(text, "{}({})", method.name, arguments.join(", "));
    text
}

fn place_name(context: &Context, place: Place) -> String {
    format!("{}[{}]", context.pools[place.pool as usize].variable, place.slot)
}

fn parse_call(context: &Context, text: &str) -> Result<CallId, Error> {
    let syntax = |text: &str, expected: String| Error::Syntax { text: text.to_owned(), expected };
    let form = || "a call like `b[1] = a[0].method(c[0], c[1])`".to_owned();
    let (result, call) = match text.split_once(" = ") {
        Some((result, call)) => (Some(result.trim()), call.trim()),
        None => (None, text),
    };
    // The name of an instance of a generic method may have parentheses in it; places have none.
    let (callee, arguments) =
        call.strip_suffix(')').and_then(|call| call.rsplit_once('(')).ok_or_else(|| syntax(text, form()))?;
    // A receiver is a place: its name ends with a bracket.
    let (receiver, name) = match callee.split_once("].") {
        Some((receiver, name)) => (Some(format!("{receiver}]")), name),
        None => (None, callee),
    };
    let kind = if receiver.is_some() { Kind::Method } else { Kind::Function };
    let found = context.methods.iter().position(|m| m.name == name && m.kind == kind);
    let index = found.ok_or_else(|| {
        syntax(name, format!("one of {}", context.methods().collect::<Vec<_>>().join(", ")))
    })?;
    let method = &context.methods[index];
    let arguments = arguments.split(',').map(str::trim).filter(|a| !a.is_empty());
    let names: Vec<&str> = receiver.as_deref().into_iter().chain(arguments).chain(result).collect();
    if names.len() != method.order.len() || result.is_some() != method.result.is_some() {
        return Err(syntax(text, format!("a call like `{}`", call_text(context, method.first))));
    }
    let mut places = vec![];
    for (i, name) in names.into_iter().enumerate() {
        let pool = method.pool_at(i);
        let entry = &context.pools[pool as usize];
        let slot = name
            .strip_prefix(&*entry.variable)
            .and_then(|n| n.strip_prefix('['))
            .and_then(|n| n.strip_suffix(']'));
        let slot = slot.and_then(|n| n.parse::<u32>().ok()).filter(|slot| (*slot as usize) < entry.size);
        let expected = || format!("a place from `{0}[0]` to `{0}[{1}]`", entry.variable, entry.size - 1);
        places.push(Place { pool, slot: slot.ok_or_else(|| syntax(name, expected()))? });
    }
    Ok(context.encode(index, &places))
}
