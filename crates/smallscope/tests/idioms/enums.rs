//! Enums with payload.

use crate::*;

#[test]
fn match_self_deref() {
    expr!();
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match *self {
                Expr::Lit(n) => n > 0,
                Expr::Neg(ref e) => e.rep_ok(),
                Expr::Add(ref a, ref b) => a.rep_ok() && b.rep_ok(),
            }
        }
    }
    exprs!(17);
}

#[test]
fn match_self_ergonomic() {
    expr!();
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match self {
                Expr::Lit(n) => *n > 0,
                Expr::Neg(e) => e.rep_ok(),
                Expr::Add(a, b) => a.rep_ok() && b.rep_ok(),
            }
        }
    }
    exprs!(17);
}

#[test]
fn use_star() {
    expr!();
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            use Expr::*;
            match self {
                Lit(n) => *n > 0,
                Neg(e) => e.rep_ok(),
                Add(a, b) => a.rep_ok() && b.rep_ok(),
            }
        }
    }
    exprs!(17);
}

#[test]
fn inline_format_arg_of_cell_variable() {
    expr!();
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match self {
                Expr::Lit(n) => format!("{n}").len() == 1 && *n > 0,
                Expr::Neg(e) => e.rep_ok(),
                Expr::Add(a, b) => a.rep_ok() && b.rep_ok(),
            }
        }
    }
    exprs!(17);
}

#[test]
fn literal_pattern_in_payload() {
    expr!();
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match self {
                Expr::Lit(0) => false,
                Expr::Lit(1..=5) => true,
                Expr::Lit(_) => false,
                Expr::Neg(e) => !matches!(**e, Expr::Neg(_)) && e.rep_ok(),
                Expr::Add(a, b) => a.rep_ok() && b.rep_ok(),
            }
        }
    }
    exprs!(11);
}

#[test]
fn at_binding_in_payload() {
    expr!();
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match self {
                Expr::Lit(n @ 1..=5) => *n < 9,
                Expr::Lit(_) => false,
                Expr::Neg(e) => e.rep_ok(),
                Expr::Add(a, b) => a.rep_ok() && b.rep_ok(),
            }
        }
    }
    exprs!(17);
}

#[test]
fn deref_pattern_in_match() {
    expr!();
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match self {
                Expr::Neg(e) => match &**e {
                    Expr::Neg(_) => false,
                    e => e.rep_ok(),
                },
                Expr::Add(a, b) => match (&**a, &**b) {
                    (Expr::Lit(x), Expr::Lit(y)) => x <= y,
                    _ => a.rep_ok() && b.rep_ok(),
                },
                Expr::Lit(_) => true,
            }
        }
    }
    exprs!(42);
}

#[test]
fn inline_nested_enum() {
    #[derive(Bounded, Debug, Clone)]
    pub enum Op {
        Neg,
        Shift(u8),
    }
    #[derive(Bounded, Debug, Clone)]
    pub enum Expr {
        Lit(i32),
        Un(Op, Box<Expr>),
    }
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match self {
                Expr::Lit(_) => true,
                Expr::Un(Op::Shift(0), _) => false,
                Expr::Un(Op::Neg | Op::Shift(_), e) => e.rep_ok(),
            }
        }
    }
    assert_eq!(
        valid::<Expr>(
            &Bounds::exact().objects("Expr", 4).ints("Expr::Lit.0", 0..=1).ints("Op::Shift.0", 0..=1)
        ),
        62
    );
}

#[test]
fn or_pattern_binding() {
    #[derive(Bounded, Debug, Clone)]
    pub enum Expr {
        Lit(i32),
        Neg(Box<Expr>),
        Not(Box<Expr>),
    }
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match self {
                Expr::Lit(_) => true,
                Expr::Neg(e) | Expr::Not(e) => e.rep_ok(),
            }
        }
    }
    assert_eq!(valid::<Expr>(&Bounds::exact().objects("Expr", 4).ints("Expr::Lit.0", 0..=1)), 62);
}

#[test]
fn box_list_cons_generic() {
    #[derive(Bounded, Debug, Clone)]
    pub enum List<T> {
        Nil,
        Cons(T, Box<List<T>>),
    }
    #[rep_ok]
    impl<T: Ord> List<T> {
        fn rep_ok(&self) -> bool {
            match self {
                List::Nil => true,
                List::Cons(x, rest) => {
                    (match &**rest {
                        List::Cons(y, _) => x < y,
                        List::Nil => true,
                    }) && rest.rep_ok()
                }
            }
        }
    }
    assert_eq!(valid::<List<Key>>(&Bounds::exact().objects("List", 4).ints("List::Cons.0", 0..=3)), 16);
}

#[test]
fn closure_moves_binding() {
    expr!();
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match self {
                Expr::Lit(n) => (0..3).any(|k| k == *n),
                Expr::Neg(e) => {
                    let f = move || e.rep_ok();
                    f()
                }
                Expr::Add(a, b) => [a, b].iter().all(|e| e.rep_ok()),
            }
        }
    }
    exprs!(66);
}

mod variants_imported_by_the_module {
    use crate::*;
    use Expr::*;
    #[derive(Bounded, Debug, Clone)]
    pub enum Expr {
        Lit(i32),
        Neg(Box<Expr>),
        Nil,
    }
    #[rep_ok(variants(Expr))]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match self {
                Lit(n) => *n > 0,
                Neg(e) if matches!(**e, Nil) => false,
                Neg(e) => e.rep_ok(),
                Nil => true,
            }
        }
    }

    #[test]
    fn used_by_bare_name() {
        // Nil, and a literal under at most two negations.
        assert_eq!(valid::<Expr>(&Bounds::exact().objects("Expr", 2).ints("Expr::Lit.0", 0..=1)), 1 + 3);
    }
}

#[test]
fn variants_with_named_fields() {
    #[derive(Bounded)]
    enum Shape {
        Dot,
        Line { from: u8, to: u8 },
        Group { first: Box<Shape>, rest: Vec<Shape> },
    }
    #[rep_ok]
    impl Shape {
        fn rep_ok(&self) -> bool {
            match self {
                Self::Dot => true,
                Self::Line { from, to: end } => from < end,
                Self::Group { first, rest } => {
                    first.rep_ok() && rest.iter().all(Shape::rep_ok) && !rest.is_empty()
                }
            }
        }
    }
    let bounds = Bounds::exact()
        .objects("Shape", 2)
        .ints("Shape::Line.from", 0..=1)
        .ints("Shape::Line.to", 0..=1)
        .len("Shape::Group.rest", 0..=1);
    // Alone; a group of two, a boxed shape and one in the vector; a group of a boxed dot and such a group that has one, too.
    assert_eq!(valid::<Shape>(&bounds), 2 + 2 * 2 + 2);
}

#[test]
fn shadowed_payload() {
    expr!();
    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            match self {
                Expr::Lit(n) => {
                    let n = *n;
                    let positive = |n: i32| n > 0;
                    positive(n)
                }
                Expr::Neg(e) => {
                    let e = &**e;
                    if let Expr::Lit(e) = e { *e == 1 } else { e.rep_ok() }
                }
                Expr::Add(a, b) => {
                    let (b, a) = (a, b);
                    for a in [a, b] {
                        if !a.rep_ok() {
                            return false;
                        }
                    }
                    true
                }
            }
        }
    }
    exprs!(17);
}

#[test]
fn plain_enum_of_another_module() {
    mod colors {
        #[derive(smallscope::Bounded, Clone, Copy, PartialEq)]
        pub enum Color {
            Red,
            Green,
            Blue,
        }
    }
    use colors::Color;
    #[derive(Bounded)]
    struct Pixel {
        color: Color,
        dim: bool,
    }
    #[rep_ok]
    impl Pixel {
        fn rep_ok(&self) -> bool {
            match self.color {
                Color::Red => self.dim,
                Color::Green | Color::Blue => self.color != Color::Blue,
            }
        }
    }
    assert_eq!(valid::<Pixel>(&Bounds::exact()), 1 + 2);
}

/// As an expression, `Event::Key(..)` would make an event, and the block would lose the method.
#[test]
fn rest_pattern_in_matches_of_a_mirrored_block() {
    #[derive(Bounded)]
    #[bounded(no_invariant)]
    enum Event {
        Tick,
        Key(u8),
    }
    #[derive(Bounded)]
    struct Input {
        last: Event,
    }
    #[mirror]
    impl Event {
        fn is_key(&self) -> bool {
            matches!(self, Event::Key(..))
        }
    }
    #[rep_ok]
    impl Input {
        fn rep_ok(&self) -> bool {
            self.last.is_key()
        }
    }
    assert_eq!(valid::<Input>(&Bounds::scope(3)), 3);
}

#[test]
fn both_ends_of_a_queue_of_enums() {
    #[derive(Bounded)]
    #[bounded(no_invariant)]
    enum Event {
        Tick,
        Key(u8),
    }
    #[derive(Bounded)]
    struct Queue {
        events: VecDeque<Event>,
    }
    #[rep_ok]
    impl Queue {
        fn rep_ok(&self) -> bool {
            self.events.front().is_some_and(|first| matches!(first, Event::Tick))
                && self.events.back().is_some_and(|last| matches!(last, Event::Key(_)))
        }
    }
    // Two events; or another one between them.
    assert_eq!(valid::<Queue>(&Bounds::scope(3)), 3 + 4 * 3);
}

/// Enums with parameters, named without them, in items with and without parameters.
mod with_parameters {
    use super::*;

    #[derive(Bounded, Debug, Clone, PartialEq)]
    pub enum Slot<T> {
        Empty,
        Dead,
        Full(T),
    }

    /// Derives nothing, and has no parameters.
    #[derive(Clone, Copy, PartialEq)]
    enum Way {
        Up,
        Down,
    }

    fn count<T: Bounded>() -> usize {
        Search::<T>::new(&Bounds::scope(2), Options::audited()).unwrap().count().unwrap().valid as usize
    }

    mod matched {
        use super::*;
        #[derive(Bounded, Debug)]
        pub struct Table {
            slots: Vec<Slot<u8>>,
            live: usize,
        }

        #[rep_ok(fn is_live)]
        impl Table {
            fn rep_ok(&self) -> bool {
                let way = if matches!(self.slots.first(), Some(Slot::Empty)) { Way::Up } else { Way::Down };
                self.live == self.slots.iter().filter(|slot| is_live(slot)).count()
                    && matches!(way, Way::Up | Way::Down)
            }
        }

        #[mirror]
        fn is_live(slot: &Slot<u8>) -> bool {
            matches!(slot, Slot::Full(_))
        }
    }

    mod unit_variants {
        use super::*;
        #[derive(Bounded, Debug)]
        pub struct Table<T> {
            slots: Vec<Slot<T>>,
            live: usize,
        }

        #[rep_ok]
        impl<T: PartialEq> Table<T> {
            fn rep_ok(&self) -> bool {
                self.live == self.slots.iter().filter(|s| !matches!(s, Slot::Empty | Slot::Dead)).count()
            }
        }
    }

    mod in_a_match {
        use super::*;
        #[derive(Bounded, Debug)]
        pub struct Table {
            slots: Vec<Slot<u8>>,
            live: usize,
        }

        #[rep_ok]
        impl Table {
            fn rep_ok(&self) -> bool {
                let mut live = 0;
                for slot in &self.slots {
                    match slot {
                        Slot::Empty | Slot::Dead => {}
                        Slot::Full(0) => return false,
                        Slot::Full(_) => live += 1,
                    }
                }
                live == self.live
            }
        }
    }

    #[test]
    fn parameters_are_left_out() {
        // Of each of two elements or fewer: one of two variants, or one of two numbers; then one of one number.
        assert_eq!(count::<matched::Table>(), 1 + 4 + 16);
        assert_eq!(count::<unit_variants::Table<u8>>(), 1 + 4 + 16);
        assert_eq!(count::<in_a_match::Table>(), 1 + 3 + 9);
    }
}
