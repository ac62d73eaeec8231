//! Conditions about pointers, and walks along links.

use super::{Conditions, Place};
use crate::sources::types::{Shape, Type};

pub(super) fn pointer(
    c: &mut Conditions<'_>,
    place: &Place,
    ty: &Type,
    inner: &Type,
    depth: usize,
) -> String {
    let pointer = match ty {
        Type::Rc(_) => Some("Rc"),
        Type::Arc(_) => Some("Arc"),
        _ => None,
    };
    if let Some(pointer) = pointer
        && c.random.chance(35)
        && let Some(other) = c.other(place, ty)
    {
        c.note("ptr_eq");
        let not = if c.random.chance(50) { "!" } else { "" };
        return if c.random.chance(70) {
            format!("{not}{pointer}::ptr_eq({}, {})", place.borrowed(), other.borrowed())
        } else {
            format!("{not}std::ptr::eq(&*{}, &*{})", place.get(), other.get())
        };
    }
    c.about(&place.target(), inner, depth)
}

pub(super) fn weak(c: &mut Conditions<'_>, place: &Place, ty: &Type, inner: &Type, depth: usize) -> String {
    c.note("upgrade");
    let receiver = place.receiver();
    let strong = match ty {
        Type::RcWeak(_) => Type::Rc(Box::new(inner.clone())),
        _ => Type::Arc(Box::new(inner.clone())),
    };
    let name = c.name("up");
    match c.random.below(3) {
        0 => format!("{receiver}.upgrade().is_none()"),
        1 => format!("{receiver}.upgrade().is_some()"),
        _ => {
            let next = depth.saturating_sub(1);
            let condition = c.inside(true, |c| c.about_new(Place::value(&name), &strong, next));
            format!("{receiver}.upgrade().is_none_or(|{name}| {condition})")
        }
    }
}

pub(super) fn raw(c: &mut Conditions<'_>, place: &Place, ty: &Type, target: usize, depth: usize) -> String {
    let value = place.get();
    match (c.random.below(5), c.other(place, ty)) {
        (0, Some(other)) => format!("{value} == {}", other.get()),
        (1, _) => format!("({value}).is_null()"),
        (2, _) => format!("!({value}).is_null()"),
        _ => {
            c.note("unsafe dereference");
            let (p, node) = (c.name("p"), c.name("node"));
            let condition =
                c.about_new(Place::reference(&node), &Type::Named(target), depth.saturating_sub(1));
            format!(
                "{{ let {p} = {value}; {p}.is_null() || {{ let {node} = unsafe {{ &*{p} }}; {condition} }} }}"
            )
        }
    }
}

pub(super) fn non_null(c: &mut Conditions<'_>, place: &Place, target: usize, depth: usize) -> String {
    c.note("unsafe dereference");
    let node = c.name("node");
    let condition = c.about_new(Place::reference(&node), &Type::Named(target), depth.saturating_sub(1));
    format!("{{ let {node} = unsafe {{ {}.as_ref() }}; {condition} }}", place.receiver())
}

/// A conjunct about the links from the root, if it has any.
pub fn walk(c: &mut Conditions<'_>) -> Option<String> {
    let fields = c.model.root().fields().to_vec();
    let operator = *c.random.pick(&["<=", "==", "!="]);
    let size = if fields.iter().any(|f| f.name == "size") {
        format!("{operator} self.size")
    } else {
        format!("<= {}", 1 + c.random.below(2))
    };
    if c.model.arena.is_some() {
        return walk_over_places(c, &size);
    }
    let (start, target, link) = fields.iter().find_map(|field| match &field.ty {
        Type::Option(link) => match &**link {
            Type::Box(t) | Type::Rc(t) | Type::Arc(t) => {
                Some((field.name.clone(), (**t).clone(), (**link).clone()))
            }
            _ => None,
        },
        Type::Raw { target, .. } => Some((field.name.clone(), Type::Named(*target), field.ty.clone())),
        _ => None,
    })?;
    let in_cell = matches!(target, Type::RefCell(_));
    let number = match &target {
        Type::Named(number) => *number,
        Type::RefCell(inner) => match &**inner {
            Type::Named(number) => *number,
            _ => return None,
        },
        _ => return None,
    };
    let Shape::Struct(node) = &c.model.types[number].shape else { return None };
    let links: Vec<String> = node
        .iter()
        .filter(|f| f.ty == Type::Option(Box::new(link.clone())) || f.ty == link)
        .map(|f| f.name.clone())
        .collect();
    let next = links.first()?.clone();
    let ty = c.model.name(number);
    match &link {
        Type::Raw { is_mutable, .. } => Some(walk_raw(c, &start, &next, &size, *is_mutable)),
        Type::Box(_) if links.len() == 1 => Some(walk_boxes(c, &start, &next, &size)),
        Type::Box(_) => Some(walk_tree(c, &start, number, &size)),
        _ if in_cell => {
            c.note("visited set");
            let pointer = if matches!(link, Type::Rc(_)) { "Rc" } else { return None };
            Some(format!(
                "{{ let mut seen = Visited::new(); let mut at = self.{start}.clone(); \
                 while let Some(node) = at {{ if !seen.insert({pointer}::clone(&node)) {{ return false; }} \
                 at = node.borrow().{next}.clone(); }} seen.len() {size} }}"
            ))
        }
        _ if c.random.chance(50) => {
            c.note("visited set");
            Some(format!(
                "{{ let mut seen = Visited::new(); let mut at = &self.{start}; \
                 while let Some(node) = at {{ if !seen.insert(&**node) {{ return false; }} at = &node.{next}; }} \
                 seen.len() {size} }}"
            ))
        }
        _ => {
            c.note("set of addresses");
            let pointer = if matches!(link, Type::Rc(_)) { "Rc" } else { "Arc" };
            Some(format!(
                "{{ let mut seen: HashSet<*const {ty}> = HashSet::new(); let mut at = self.{start}.as_ref(); \
                 while let Some(node) = at {{ if !seen.insert({pointer}::as_ptr(node)) {{ break; }} \
                 at = node.{next}.as_ref(); }} seen.len() {size} }}"
            ))
        }
    }
}

fn walk_raw(c: &mut Conditions<'_>, start: &str, next: &str, size: &str, is_mutable: bool) -> String {
    c.note("visited set");
    c.note("unsafe dereference");
    let _ = is_mutable;
    format!(
        "{{ let mut seen = Visited::new(); let mut at = self.{start}; \
         while !at.is_null() {{ if !seen.insert(at) {{ return false; }} at = unsafe {{ (*at).{next} }}; }} \
         seen.len() {size} }}"
    )
}

fn walk_boxes(c: &mut Conditions<'_>, start: &str, next: &str, size: &str) -> String {
    c.note("walk with a counter");
    match c.random.below(3) {
        0 => format!(
            "{{ let mut at = &self.{start}; let mut count = 0; while let Some(node) = at {{ count += 1; \
             if count > 3 {{ return false; }} at = &node.{next}; }} count {size} }}"
        ),
        1 => format!(
            "{{ let mut at = self.{start}.as_deref(); let mut count = 0; \
             while let Some(node) = at {{ count += 1; if count > 3 {{ break; }} at = node.{next}.as_deref(); }} \
             count {size} }}"
        ),
        _ => format!(
            "std::iter::successors(self.{start}.as_deref(), |node| node.{next}.as_deref()).take(4).count() {size}"
        ),
    }
}

/// Recursion over a binary tree.
fn walk_tree(c: &mut Conditions<'_>, start: &str, number: usize, size: &str) -> String {
    let ty = c.model.name(number);
    let node = c.model.types[number].fields();
    let key = node.iter().find(|field| field.name == "key").map(|field| field.ty.clone());
    let name = c.name("walk");
    match (c.random.below(4), key) {
        (0, Some(ty_of_key @ (Type::Int(_) | Type::Key | Type::Parameter))) => {
            c.note("recursion with bounds");
            let key = c.model.text(&ty_of_key);
            c.helpers.block.push(format!(
                "    fn {name}(tree: &Option<Box<{ty}>>, low: Option<&{key}>, high: Option<&{key}>) -> bool {{\n        \
                 let Some(node) = tree else {{ return true }};\n        \
                 low.is_none_or(|low| *low < node.key)\n            \
                 && high.is_none_or(|high| node.key < *high)\n            \
                 && Self::{name}(&node.left, low, Some(&node.key))\n            \
                 && Self::{name}(&node.right, Some(&node.key), high)\n    }}\n"
            ));
            format!("Self::{name}(&self.{start}, None, None)")
        }
        (1, _) => {
            c.note("recursion with an accumulator");
            c.helpers.block.push(format!(
                "    fn {name}(tree: &Option<Box<{ty}>>, count: &mut usize) -> bool {{\n        \
                 if let Some(node) = tree {{\n            *count += 1;\n            \
                 if *count > 3 {{\n                return false;\n            }}\n            \
                 Self::{name}(&node.left, count) && Self::{name}(&node.right, count)\n        \
                 }} else {{\n            true\n        }}\n    }}\n"
            ));
            format!("{{ let mut count = 0; Self::{name}(&self.{start}, &mut count) && count {size} }}")
        }
        (2, _) if c.model.parameter.is_none() => {
            c.note("mirrored iterator");
            let iterator = format!("Nodes{}", c.names);
            c.helpers.listed.push(iterator.clone());
            c.helpers.items.push(format!("struct {iterator}<'a> {{\n    open: Vec<&'a {ty}>,\n}}\n"));
            c.helpers.items.push(format!(
                "impl<'a> Iterator for {iterator}<'a> {{\n    type Item = &'a {ty};\n\n    \
                 fn next(&mut self) -> Option<&'a {ty}> {{\n        let node = self.open.pop()?;\n        \
                 self.open.extend(node.right.as_deref());\n        \
                 self.open.extend(node.left.as_deref());\n        Some(node)\n    }}\n}}\n"
            ));
            format!(
                "{{ let nodes = {iterator} {{ open: self.{start}.as_deref().into_iter().collect() }}; \
                 nodes.count() {size} }}"
            )
        }
        _ => {
            c.note("recursion");
            c.helpers.block.push(format!(
                "    fn {name}(tree: Option<&{ty}>) -> usize {{\n        \
                 tree.map_or(0, |node| 1 + Self::{name}(node.left.as_deref()) + Self::{name}(node.right.as_deref()))\n    }}\n"
            ));
            format!("Self::{name}(self.{start}.as_deref()) {size}")
        }
    }
}

fn walk_over_places(c: &mut Conditions<'_>, size: &str) -> Option<String> {
    let slot = c.model.arena?;
    let next = c.model.types[slot].fields().iter().find(|field| field.name == "next")?.ty.clone();
    let first =
        if c.model.root().fields().iter().any(|f| f.name == "first") { "self.first" } else { "Some(0)" };
    let next = if next == Type::Place { "Some(self.slots[i].next)" } else { "self.slots[i].next" };
    c.note("walk over places");
    let _ = size;
    let at_end = *c.random.pick(&["return false", "break"]);
    let end = *c.random.pick(&["seen.iter().all(|seen| *seen)", "seen.iter().any(|seen| *seen)", "true"]);
    let start = if first == "Some(0)" {
        "let mut at = if self.slots.is_empty() { None } else { Some(0) };"
    } else {
        "let mut at = self.first;"
    };
    Some(format!(
        "{{ let mut seen = vec![false; self.slots.len()]; {start} while let Some(i) = at {{ \
         if std::mem::replace(&mut seen[i], true) {{ {at_end}; }} at = {next}; }} {end} }}"
    ))
}
