//! The families of programs: the types of the root and its nodes.

use super::{Shapes, boxed};
use crate::sources::types::{Field, Shape, Type, UNBOUND, Variant};

impl Shapes<'_> {
    fn extra(&mut self, fields: &mut Vec<Field>) {
        if self.random.chance(35) {
            let field = self.bounded("extra", |s| s.leaf_or_small());
            fields.push(field);
        }
    }

    pub(super) fn flat(&mut self) -> Vec<Field> {
        let n = 2 + self.random.below(3);
        let mut fields: Vec<Field> =
            (0..n).map(|i| self.bounded(["a", "b", "c", "d"][i], Shapes::any)).collect();
        // Objects of a type count together, whatever owns them.
        if let Some(number) = self.owned.first().copied()
            && self.random.chance(40)
        {
            self.idioms.note("several owners");
            let target = boxed(Type::Named(number));
            let owner = match self.random.below(3) {
                0 => Type::Box(target),
                1 => Type::Rc(target),
                _ => Type::Arc(target),
            };
            fields.push(Field::new("again", Type::Option(boxed(owner))));
        }
        // Two structures of the same type can be compared.
        if let Some(twin) = fields.iter().find(|field| matches!(field.ty, Type::Named(_)))
            && self.random.chance(50)
        {
            let twin = Field::new("twin", twin.ty.clone());
            fields.push(twin);
        }
        // One set can be inside of another.
        if let Some(set) = fields.iter().find(|field| matches!(field.ty, Type::Set { .. }))
            && self.random.chance(50)
        {
            let twin = Field { name: "other".into(), ..set.clone() };
            fields.push(twin);
        }
        fields
    }

    /// The data of a node.
    fn data(&mut self, fields: &mut Vec<Field>) {
        if self.random.chance(80) {
            let field =
                self.bounded("key", |s| if s.random.chance(60) { s.leaf() } else { s.leaf_or_small() });
            fields.push(field);
        }
    }

    /// A type parameter in place of the key of a node.
    fn generic(&mut self, fields: &mut [Field]) {
        if let Some(field) = fields.iter_mut().find(|field| field.name == "key")
            && matches!(field.ty, Type::Int("u8") | Type::Key)
            && self.random.chance(60)
        {
            self.idioms.note("type parameter");
            self.model.parameter = Some(std::mem::replace(&mut field.ty, Type::Parameter));
            field.bound = UNBOUND;
        }
    }

    fn size(&mut self, fields: &mut Vec<Field>) {
        if self.random.chance(50) {
            fields.push(Field::new("size", Type::Int("usize")));
        }
    }

    pub(super) fn list(&mut self) -> Vec<Field> {
        let node = self.define("Node", Shape::Struct(vec![]));
        let mut fields = vec![];
        self.data(&mut fields);
        fields.push(Field::new("next", Type::Option(boxed(Type::Box(boxed(Type::Named(node)))))));
        self.generic(&mut fields);
        self.model.types[node].shape = Shape::Struct(fields);
        let mut root = vec![Field::new("head", Type::Option(boxed(Type::Box(boxed(Type::Named(node))))))];
        if self.random.chance(20) && self.model.parameter.is_none() {
            self.idioms.note("raw pointer beside boxes");
            // A box behind a raw pointer may own itself, until the search finds that it has no other owner.
            self.model.has_cycles = true;
            root.push(Field::new("tail", Type::Raw { is_mutable: self.random.chance(50), target: node }));
        }
        self.size(&mut root);
        self.extra(&mut root);
        root
    }

    pub(super) fn tree(&mut self) -> Vec<Field> {
        let node = self.define("Node", Shape::Struct(vec![]));
        let link = Type::Option(boxed(Type::Box(boxed(Type::Named(node)))));
        let mut fields = vec![Field::new("left", link.clone()), Field::new("right", link.clone())];
        self.data(&mut fields);
        if self.random.chance(50) {
            fields.rotate_left(1);
        }
        self.generic(&mut fields);
        self.model.types[node].shape = Shape::Struct(fields);
        let mut root = vec![Field::new("root", link)];
        self.size(&mut root);
        self.extra(&mut root);
        root
    }

    pub(super) fn rose_tree(&mut self) -> Vec<Field> {
        let node = self.define("Node", Shape::Struct(vec![]));
        let mut fields = vec![];
        self.data(&mut fields);
        let by_box = self.random.chance(50);
        let children = if by_box {
            Type::Vec(boxed(Type::Box(boxed(Type::Named(node)))))
        } else {
            Type::Vec(boxed(Type::Named(node)))
        };
        let mut children = Field::new("children", children);
        children.bound.length = Some((0, 2));
        fields.push(children);
        self.generic(&mut fields);
        self.model.types[node].shape = Shape::Struct(fields);
        let top = if by_box {
            Type::Option(boxed(Type::Box(boxed(Type::Named(node)))))
        } else {
            Type::Vec(boxed(Type::Named(node)))
        };
        let mut root = vec![Field::new("top", top)];
        self.size(&mut root);
        self.extra(&mut root);
        root
    }

    pub(super) fn expression(&mut self) -> Vec<Field> {
        let term = self.define("Term", Shape::Enum(vec![]));
        let inner = || Type::Box(boxed(Type::Named(term)));
        let leaf = self.bounded("0", |s| s.leaf());
        let mut variants = vec![
            Variant { name: "Leaf", fields: vec![leaf], is_named: false },
            Variant { name: "Not", fields: vec![Field::new("0", inner())], is_named: false },
        ];
        if self.random.chance(70) {
            let mut fields = vec![Field::new("left", inner()), Field::new("right", inner())];
            if self.random.chance(30) {
                let flag = self.bounded("flag", |s| s.leaf());
                fields.push(flag);
            }
            variants.push(Variant { name: "Pair", fields, is_named: true });
        }
        if self.random.chance(30) {
            variants.insert(0, Variant { name: "Empty", fields: vec![], is_named: false });
        }
        self.model.types[term].shape = Shape::Enum(variants);
        let top = match self.random.below(3) {
            0 => Type::Named(term),
            1 => inner(),
            _ => Type::Option(boxed(inner())),
        };
        let mut root = vec![Field::new("term", top)];
        self.extra(&mut root);
        root
    }

    /// Objects that are shared, and may form cycles.
    pub(super) fn shared(&mut self) -> Vec<Field> {
        self.model.has_cycles = true;
        let node = self.define("Node", Shape::Struct(vec![]));
        let is_atomic = self.random.chance(25);
        let in_cell = self.random.chance(40);
        self.idioms.note(if in_cell { "shared RefCell" } else { "shared node" });
        let target = if in_cell { Type::RefCell(boxed(Type::Named(node))) } else { Type::Named(node) };
        let strong =
            if is_atomic { Type::Arc(boxed(target.clone())) } else { Type::Rc(boxed(target.clone())) };
        let mut fields = vec![];
        self.data(&mut fields);
        fields.push(Field::new("next", Type::Option(boxed(strong.clone()))));
        if self.random.chance(50) {
            self.idioms.note("Weak");
            let weak = if is_atomic { Type::ArcWeak(boxed(target)) } else { Type::RcWeak(boxed(target)) };
            fields.push(Field::new("back", weak));
        }
        self.model.types[node].shape = Shape::Struct(fields);
        let mut root = vec![];
        if self.random.chance(70) {
            root.push(Field::new("head", Type::Option(boxed(strong.clone()))));
        } else {
            let mut all = Field::new("all", Type::Vec(boxed(strong.clone())));
            all.bound.length = Some((0, 2));
            root.push(all);
        }
        if self.random.chance(40) {
            root.push(Field::new("other", Type::Option(boxed(strong))));
        }
        self.size(&mut root);
        root
    }

    pub(super) fn raw_pointers(&mut self) -> Vec<Field> {
        self.model.has_cycles = true;
        let node = self.define("Node", Shape::Struct(vec![]));
        let is_mutable = self.random.chance(60);
        let raw = Type::Raw { is_mutable, target: node };
        let mut fields = vec![];
        self.data(&mut fields);
        if self.random.chance(40) {
            self.idioms.note("NonNull");
            fields.push(Field::new("next", Type::NonNull(node)));
        } else {
            fields.push(Field::new("next", raw.clone()));
        }
        self.model.types[node].shape = Shape::Struct(fields);
        let mut root = vec![Field::new("head", raw.clone())];
        if self.random.chance(50) {
            root.push(Field::new("tail", raw));
        }
        self.size(&mut root);
        root
    }

    pub(super) fn arena(&mut self) -> Vec<Field> {
        let slot = self.define("Slot", Shape::Struct(vec![]));
        self.model.arena = Some(slot);
        let mut fields = vec![];
        if self.random.chance(50) {
            let field = self.bounded("key", |s| s.leaf());
            fields.push(field);
        }
        let place = if self.random.chance(75) { Type::MaybePlace } else { Type::Place };
        fields.push(Field::new("next", place));
        self.model.types[slot].shape = Shape::Struct(fields);
        let mut root = vec![Field::new("slots", Type::Vec(boxed(Type::Named(slot))))];
        if self.random.chance(70) {
            root.push(Field::new("first", Type::MaybePlace));
        }
        if self.random.chance(30) {
            root.rotate_left(1);
        }
        root
    }

    /// Fields in two parts.
    pub(super) fn parts(&mut self) -> Vec<Field> {
        self.model.has_parts = true;
        let mut fields = vec![];
        for (i, name) in ["a", "b", "c", "d"].into_iter().enumerate().take(2 + self.random.below(3)) {
            let mut field = self.bounded(name, |s| match s.random.below(8) {
                0 | 1 => Type::Vec(boxed(s.leaf())),
                2 => Type::Option(boxed(s.leaf())),
                3 => Type::Option(boxed(Type::Box(boxed(s.pointee())))),
                4 => Type::Tuple(vec![s.leaf(), s.leaf()]),
                _ => s.leaf(),
            });
            field.part = Some(["left", "right"][i % 2]);
            fields.push(field);
        }
        fields
    }

    /// A struct that nothing else uses.
    pub(super) fn fresh_struct(&mut self) -> usize {
        const NAMES: [&str; 6] = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta"];
        let used = self.model.types.iter().filter(|t| NAMES.contains(&t.name)).count();
        let field = self.bounded("value", |s| s.leaf());
        let number = self.define(NAMES[used.min(5)], Shape::Struct(vec![field]));
        self.structs.push(number);
        number
    }

    /// Some structures of data have their own invariants.
    pub(super) fn choose_invariants(&mut self) {
        for number in [&self.structs[..], &self.enums].concat() {
            if self.random.chance(40) {
                self.idioms.note("invariant of a part");
                self.model.types[number].has_invariant = true;
            }
        }
        let model = self.model.clone();
        let is_checked = |t: &Type| matches!(t, Type::Named(number) if model.types[*number].has_invariant);
        let Shape::Struct(fields) = &mut self.model.types[0].shape else { return };
        // Another field might lead to a shared object, and check it.
        let is_shared = |t: &Type| matches!(t, Type::Rc(_) | Type::Arc(_));
        for field in fields.iter_mut().filter(|field| field.ty.any(&is_checked)) {
            if self.random.chance(25) && !field.ty.any(&is_shared) {
                self.idioms.note("unchecked part");
                field.is_unchecked = true;
            }
        }
    }

    /// Structures of data can be compared.
    pub(super) fn choose_comparable(&mut self) {
        for number in self.structs.clone() {
            let is_data = |ty: &Type| self.model.is_copy(ty);
            let fields = self.model.types[number].all_fields();
            let is_comparable = fields.iter().all(|field| {
                is_data(&field.ty) || matches!(&field.ty, Type::Option(inner) if is_data(inner))
            });
            self.model.types[number].is_comparable = is_comparable && self.random.chance(60);
        }
    }
}
