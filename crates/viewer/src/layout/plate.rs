//! What is written on the plate of a node, and how large the plate has to be.

use super::links::{Links, Role, is_told_by_place, role};
use crate::graph::{Field, Graph, Node, Value, plain_name};
use crate::scene::{Cell, CellShape, Plate, Point, Rect, Text, TextKind, Tone};

/// The width of a character in terms of the size of the font, which is monospaced.
const CHARACTER: f64 = 0.62;
const PADDING: f64 = 9.0;
const LINE: f64 = 17.0;
const CELL: f64 = 22.0;
/// The narrowest plate.
const NARROWEST: f64 = 34.0;
/// Longer texts are cut off.
const LONGEST: usize = 30;
/// A vector with more links has no cell for each of them.
const MOST_PORTS: usize = 24;
/// How many elements stand in a line.
const ELEMENTS_IN_LINE: usize = 12;

/// Fields that an object is known by, the most telling one first.
const KEYS: [&str; 10] = ["key", "info", "element", "value", "data", "val", "item", "id", "name", "label"];
const COLORS: [&str; 4] = ["color", "colour", "red", "is_red"];

/// A plate without a place.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub width: f64,
    pub height: f64,
    tone: Tone,
    texts: Vec<Text>,
    cells: Vec<Cell>,
    /// Where the links of values start, from the left: field, value, place.
    pub ports: Vec<(usize, usize, f64)>,
}

/// Returns the size of the font of a text.
pub(crate) fn font_size(kind: TextKind) -> f64 {
    match kind {
        TextKind::Key => 15.0,
        TextKind::Value => 12.0,
        TextKind::Name | TextKind::Label => 11.0,
        TextKind::Order { .. } => 10.0,
    }
}

/// Returns the width of a text. Letters of East Asian scripts and symbols are taken for twice as wide.
fn width(text: &str, kind: TextKind) -> f64 {
    let columns: usize =
        text.chars().map(|c| if u32::from(c) < 0x1100 || "→←↑↓↙↘…∅•–".contains(c) { 1 } else { 2 }).sum();
    columns as f64 * font_size(kind) * CHARACTER
}

/// Cuts off what is too long.
fn short(text: &str) -> String {
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// One line of a plate, from left to right.
#[derive(Default)]
struct Strip {
    pieces: Vec<Piece>,
    height: f64,
}

/// A text, with a cell around it if it has a shape.
struct Piece {
    text: String,
    kind: TextKind,
    field: String,
    cell: Option<CellShape>,
    port: Option<(usize, usize)>,
}

impl Piece {
    fn new(text: impl Into<String>, kind: TextKind, field: &str) -> Piece {
        Piece { text: text.into(), kind, field: field.to_owned(), cell: None, port: None }
    }

    fn width(&self) -> f64 {
        let text = width(&self.text, self.kind);
        if self.cell.is_some() { (text + 10.0).max(CELL) } else { text }
    }
}

/// Between two pieces of a line.
fn space(left: &Piece, right: &Piece) -> f64 {
    match (left.cell, right.cell) {
        (Some(CellShape::Member), Some(_)) => 4.0,
        (Some(CellShape::Port), Some(CellShape::Port)) if left.field != right.field => 6.0,
        (Some(_), Some(_)) => 0.0,
        _ => 7.0,
    }
}

impl Strip {
    fn of(pieces: Vec<Piece>) -> Strip {
        let height = if pieces.iter().any(|piece| piece.cell.is_some()) { CELL + 5.0 } else { LINE };
        Strip { pieces, height }
    }

    fn width(&self) -> f64 {
        let spaces: f64 = self.pieces.windows(2).map(|pair| space(&pair[0], &pair[1])).sum();
        self.pieces.iter().map(Piece::width).sum::<f64>() + spaces
    }
}

/// Measures the plate of a node.
pub(crate) fn draft(graph: &Graph, links: &Links, at: usize) -> Draft {
    let node = &graph.nodes[at];
    let index = links.arenas.iter().find_map(|arena| arena.members.iter().position(|&member| member == at));
    let key = key_of(node);
    let mut strips = vec![];
    match index {
        Some(index) => {
            strips.push(Strip::of(vec![Piece::new(format!("[{index}]"), TextKind::Name, "")]));
        }
        None if node.pool().is_none() => {
            strips.push(Strip::of(vec![Piece::new(short(&node.name), TextKind::Name, "")]));
        }
        None => {}
    }
    if let Some(field) = key.map(|key| &node.fields[key]) {
        let mut pieces =
            vec![Piece::new(short(&without_names(&field.values[0])), TextKind::Key, &field.name)];
        pieces.extend(order(field, "", graph.last_read));
        strips.push(Strip::of(pieces));
    }
    let (mut ports, mut told) = (vec![], vec![]);
    for (f, field) in node.fields.iter().enumerate() {
        let is_drawn = |v: usize| links.all.iter().any(|link| link.from == at && link.place == (f, v));
        let is_seen = |v: usize, text: &str| text == "none" || is_drawn(v) && text.parse::<u64>().is_err();
        let is_told = is_told_by_place(node, field)
            && field
                .values
                .iter()
                .enumerate()
                .skip(usize::from(field.is_vector()))
                .all(|(v, value)| is_seen(v, &value.text));
        if is_told && Some(f) != key {
            told.extend(order(field, arrow(role(node, field)), graph.last_read));
        } else if Some(f) != key {
            let lines = strips.len();
            put_field(field, f, &is_drawn, &mut strips, &mut ports);
            // Behind the first line of the field, or behind its ports.
            let pieces = strips.get_mut(lines).map_or(&mut ports, |strip| &mut strip.pieces);
            pieces.extend(order(field, "", graph.last_read));
        }
    }
    if !told.is_empty() {
        strips.push(Strip::of(told));
    }
    if !ports.is_empty() {
        strips.push(Strip::of(ports));
    }
    if strips.is_empty() {
        strips.push(Strip::of(vec![Piece::new(short(&node.name), TextKind::Name, "")]));
    }
    set(strips, tone(node))
}

/// Returns when the invariant read a field, with a sign for the field.
fn order(field: &Field, sign: &str, last: Option<u32>) -> Option<Piece> {
    let is_last = last.is_some_and(|last| field.reads.contains(&last));
    let text = format!("{sign}{}", ranges(&field.reads));
    (!field.reads.is_empty()).then(|| Piece::new(short(&text), TextKind::Order { is_last }, &field.name))
}

/// Writes numbers in a short way: `2–4 7`.
fn ranges(numbers: &[u32]) -> String {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut texts: Vec<String> = vec![];
    let mut rest = &sorted[..];
    while let Some(&first) = rest.first() {
        let len = rest.iter().zip(first..).take_while(|(number, expected)| *number == expected).count();
        texts.push(match len {
            1 => first.to_string(),
            _ => format!("{first}–{}", rest[len - 1]),
        });
        rest = &rest[len..];
    }
    texts.join(" ")
}

/// The direction in which a field leads.
fn arrow(role: Role) -> &'static str {
    match role {
        Role::Left => "↙",
        Role::Right => "↘",
        Role::Down => "↓",
        Role::Along => "→",
        Role::Back => "←",
        Role::Up => "↑",
    }
}

/// Returns the field that an object is known by: the one with the most telling name, or its only one.
fn key_of(node: &Node) -> Option<usize> {
    node.pool()?;
    let is_plain = |field: &Field| {
        // A variant may lead to objects: `Add(•, •)`.
        let is_variant = |value: &Value| field.name.is_empty() && !value.is_link;
        matches!(&field.values[..], [only] if (only.links.is_empty() || is_variant(only)) && only.pool.is_none())
            && !is_told_by_place(node, field)
    };
    let plain = || (0..node.fields.len()).filter(|&f| is_plain(&node.fields[f]));
    let named = |name: &str| plain().find(|&f| plain_name(&node.fields[f].name) == name);
    // If everything else is told by places, there is no doubt, unless it is a color.
    let told = node.fields.iter().filter(|field| is_told_by_place(node, field)).count();
    let only = || plain().next().filter(|_| told + 1 == node.fields.len());
    let is_color = |f: &usize| COLORS.contains(&plain_name(&node.fields[*f].name).as_str());
    KEYS.iter().find_map(|name| named(name)).or_else(only).filter(|f| !is_color(f))
}

fn tone(node: &Node) -> Tone {
    if node.pool().is_none() {
        return Tone::Root;
    }
    let color = |name: &str| {
        let field = node.fields.iter().find(|field| plain_name(&field.name) == name)?;
        Some(field.values.first()?.text.to_lowercase())
    };
    let is_red = color("red").or(color("is_red"));
    match color("color").or(color("colour")).as_deref().or(is_red.as_deref()) {
        Some("red" | "true") => Tone::Red,
        Some("black" | "false") => Tone::Black,
        _ => Tone::Object,
    }
}

/// Adds the line of a field, or its ports, which stand in the last line.
fn put_field(
    field: &Field,
    f: usize,
    is_drawn: &dyn Fn(usize) -> bool,
    strips: &mut Vec<Strip>,
    ports: &mut Vec<Piece>,
) {
    let name = &field.name;
    let shown = field.view.label.as_ref().unwrap_or(name);
    let label = || Piece::new(short(shown), TextKind::Label, name);
    // An object without fields is not drawn, and its name says all.
    let is_link = |v: usize| field.values[v].is_link && is_drawn(v);
    let link_count = (0..field.values.len()).filter(|&v| is_link(v)).count();
    if field.values[0].pool.is_some() && field.is_vector() && field.values[0].text != "0 elements" {
        let port = Some((f, 0));
        ports.push(Piece {
            cell: Some(CellShape::Port),
            port,
            ..Piece::new(short(shown), TextKind::Label, name)
        });
        return;
    }
    if link_count > 0 && link_count <= MOST_PORTS {
        let is_vector = field.values.len() > 1;
        if is_vector {
            ports.push(label());
        }
        for (v, value) in field.values.iter().enumerate().skip(usize::from(field.is_vector())) {
            let text = match (is_vector, is_link(v)) {
                (false, _) => short(shown),
                (true, true) => "•".to_owned(),
                (true, false) => none_as_sign(&value.text),
            };
            let cell = Some(if is_link(v) { CellShape::Port } else { CellShape::Element });
            ports.push(Piece { cell, port: Some((f, v)), ..Piece::new(text, TextKind::Label, name) });
        }
        return;
    }
    if link_count > 0 {
        let text = format!("{link_count} links");
        return strips.push(Strip::of(vec![label(), Piece::new(text, TextKind::Value, name)]));
    }
    let cells = cells_of(field);
    if let Some((shape, texts)) = cells {
        let mut first = true;
        let lines: Vec<&[String]> =
            if texts.is_empty() { vec![&[]] } else { texts.chunks(ELEMENTS_IN_LINE).collect() };
        for chunk in lines {
            let mut pieces = if first && !shown.is_empty() { vec![label()] } else { vec![] };
            if chunk.is_empty() {
                pieces.push(Piece::new("empty", TextKind::Value, name));
            }
            for text in chunk {
                pieces.push(Piece { cell: Some(shape), ..Piece::new(short(text), TextKind::Value, name) });
            }
            strips.push(Strip::of(pieces));
            first = false;
        }
        return;
    }
    let told = |(v, value): (usize, &Value)| {
        if is_drawn(v) { without_names(value) } else { value.text.clone() }
    };
    let texts: Vec<String> = field.values.iter().enumerate().map(told).collect();
    let mut pieces = if shown.is_empty() { vec![] } else { vec![label()] };
    pieces.push(Piece::new(short(&texts.join(", ")), TextKind::Value, name));
    strips.push(Strip::of(pieces));
}

/// The text of a value with a dot for each object that an arrow leads to: `Add(•, •)`.
fn without_names(value: &Value) -> String {
    let mut names: Vec<&String> = if value.is_link { vec![] } else { value.links.iter().collect() };
    // A name may be the beginning of another one.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.into_iter().fold(value.text.clone(), |text, name| text.replace(name.as_str(), "•"))
}

fn none_as_sign(text: &str) -> String {
    if text == "none" { "∅".to_owned() } else { short(text) }
}

/// Returns the cells of a vector, an array, a set or a map of plain values; none for everything else.
fn cells_of(field: &Field) -> Option<(CellShape, Vec<String>)> {
    let values = &field.values;
    if field.is_vector() {
        return Some((
            CellShape::Element,
            values[1..].iter().map(|value| none_as_sign(&value.text)).collect(),
        ));
    }
    if field.is_map() {
        let keys = members(&values[0].text)?;
        let pairs = keys.iter().zip(&values[1..]).map(|(key, value)| format!("{key} → {}", value.text));
        return (keys.len() + 1 == values.len()).then(|| (CellShape::Member, pairs.collect()));
    }
    match &values[..] {
        [only] => Some((CellShape::Member, members(&only.text)?)),
        [_, ..] => Some((CellShape::Element, values.iter().map(|value| none_as_sign(&value.text)).collect())),
        [] => None,
    }
}

/// Returns the members of a set, as text: `{1, 2}`.
fn members(text: &str) -> Option<Vec<String>> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    let (mut members, mut depth, mut is_quoted, mut start) = (vec![], 0, false, 0);
    let mut before = ' ';
    for (i, c) in inside.char_indices() {
        match c {
            '"' if before != '\\' => is_quoted = !is_quoted,
            '(' | '[' | '{' if !is_quoted => depth += 1,
            ')' | ']' | '}' if !is_quoted => depth -= 1,
            ',' if depth == 0 && !is_quoted => {
                members.push(inside[start..i].trim().to_owned());
                start = i + 1;
            }
            _ => {}
        }
        before = c;
    }
    if !inside[start..].trim().is_empty() {
        members.push(inside[start..].trim().to_owned());
    }
    Some(members.into_iter().map(|member| member.replace(": ", " → ")).collect())
}

/// Puts the lines below each other, each in the middle.
fn set(strips: Vec<Strip>, tone: Tone) -> Draft {
    let inner = strips.iter().map(Strip::width).fold(NARROWEST - 2.0 * PADDING, f64::max);
    let full = inner + 2.0 * PADDING;
    let mut draft = Draft { width: full, height: 0.0, tone, texts: vec![], cells: vec![], ports: vec![] };
    let mut y = PADDING - 3.0;
    for strip in strips {
        let mut x = (full - strip.width()) / 2.0;
        let mut before: Option<&Piece> = None;
        for piece in &strip.pieces {
            x += before.map_or(0.0, |before| space(before, piece));
            let (piece_width, text_width) = (piece.width(), width(&piece.text, piece.kind));
            let size = font_size(piece.kind);
            if let Some(shape) = piece.cell {
                let rect = Rect { x, y: y + 2.0, w: piece_width, h: CELL };
                draft.cells.push(Cell { rect, field: piece.field.clone(), shape });
            }
            if let Some((f, v)) = piece.port {
                draft.ports.push((f, v, x + piece_width / 2.0));
            }
            let baseline = y + strip.height / 2.0 + size * 0.36;
            draft.texts.push(Text {
                at: Point::new(x + (piece_width - text_width) / 2.0, baseline),
                width: text_width,
                text: piece.text.clone(),
                field: piece.field.clone(),
                kind: piece.kind,
            });
            x += piece_width;
            before = Some(piece);
        }
        y += strip.height;
    }
    draft.height = y + PADDING - 3.0;
    draft
}

impl Draft {
    /// Moves the plate to its place.
    pub fn at(mut self, node: &Node, rect: Rect) -> Plate {
        for text in &mut self.texts {
            text.at = Point::new(text.at.x + rect.x, text.at.y + rect.y);
        }
        for cell in &mut self.cells {
            (cell.rect.x, cell.rect.y) = (cell.rect.x + rect.x, cell.rect.y + rect.y);
        }
        let hint = Graph { nodes: vec![node.clone()], last_read: None }.to_string();
        Plate { name: node.name.clone(), hint, rect, tone: self.tone, texts: self.texts, cells: self.cells }
    }

    /// Returns where the link of a value starts, from the left end of the plate; none if it has no cell.
    pub fn port(&self, place: (usize, usize)) -> Option<f64> {
        self.ports.iter().find(|(f, v, _)| (*f, *v) == place).map(|(_, _, x)| *x)
    }
}
