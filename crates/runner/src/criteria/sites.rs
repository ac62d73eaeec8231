//! The decisions of an invariant from all tables that its runs refer to, numbered in one sequence.

use smallscope_core::probe::{DecisionKind, DecisionSite, Operand};
use smallscope_support::hash;

/// The known decisions.
#[derive(Default)]
pub(crate) struct Sites {
    tables: Vec<(&'static [DecisionSite], u32)>,
    /// The table that was used last; most runs use the same one many times in a row.
    last: usize,
    pub rows: Vec<Row>,
    pub expressions: Vec<Expression>,
}

/// A decision.
pub(crate) struct Row {
    pub site: &'static DecisionSite,
    /// Identifies the place in the source. It is the same in every process.
    pub fingerprint: u128,
    pub role: Role,
}

/// The role of a row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A decision that is also a condition.
    Atom,
    /// A decision that consists of conditions.
    Whole,
    /// A condition in a chain with `let`, whose structure is not known.
    Loose,
    /// A condition with its expression and its place in it.
    Operand { expression: u32, place: u32 },
    /// The start of another input.
    Part,
}

/// An expression of `&&` and `||`.
pub(crate) struct Expression {
    pub tree: &'static [Operand],
    /// What follows each condition, for both outcomes.
    pub jumps: Vec<[Jump; 2]>,
    /// The rows of its conditions.
    pub rows: Vec<u32>,
    /// The condition that is evaluated first.
    pub first: Jump,
    /// Whether its result is reported as that of a branch.
    pub is_branch: bool,
}

/// What follows a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Jump {
    /// The condition in this place.
    Next(u32),
    /// The end: the result of the expression.
    Done(bool),
    /// An operand that diverges, such as `return`.
    Lost,
}

impl Sites {
    /// Returns the number of a table's first row, if the table is known.
    #[inline(always)]
    pub fn known(&mut self, table: &'static [DecisionSite]) -> Option<u32> {
        match self.tables.get(self.last) {
            Some((known, base)) if std::ptr::eq(*known, table) => Some(*base),
            _ => self.look_up(table),
        }
    }

    fn look_up(&mut self, table: &'static [DecisionSite]) -> Option<u32> {
        self.last = self.tables.iter().position(|(known, _)| std::ptr::eq(*known, table))?;
        Some(self.tables[self.last].1)
    }

    /// Adds a table.
    pub fn add(&mut self, table: &'static [DecisionSite]) -> u32 {
        let base = self.rows.len() as u32;
        self.last = self.tables.len();
        self.tables.push((table, base));
        for site in table {
            let place = format!("{}:{}:{}:{:?}:{}", site.file, site.line, site.column, site.kind, site.text);
            let role = match site.kind {
                DecisionKind::Part => Role::Part,
                DecisionKind::And | DecisionKind::Or => Role::Loose,
                _ if site.tree.is_empty() => Role::Atom,
                _ => Role::Whole,
            };
            self.rows.push(Row { site, fingerprint: hash::text(&place), role });
        }
        for site in table.iter().filter(|site| !site.tree.is_empty()) {
            let is_branch = !matches!(site.kind, DecisionKind::And | DecisionKind::Or);
            self.add_expression(site.tree, base, is_branch);
        }
        base
    }

    fn add_expression(&mut self, tree: &'static [Operand], base: u32, is_branch: bool) {
        let number = self.expressions.len() as u32;
        let mut expression = Expression { tree, jumps: vec![], rows: vec![], first: Jump::Lost, is_branch };
        for operand in tree {
            if let Operand::Condition(id) = operand {
                let place = expression.rows.len() as u32;
                expression.rows.push(base + id);
                expression.jumps.push([Jump::Lost; 2]);
                self.rows[(base + id) as usize].role = Role::Operand { expression: number, place };
            }
        }
        let mut rest = tree;
        let mut places = expression.rows.len() as u32;
        expression.first =
            compile(&mut rest, &mut places, [Jump::Done(false), Jump::Done(true)], &mut expression.jumps);
        self.expressions.push(expression);
    }
}

/// Compiles the last operator with its operands, and returns the condition that is evaluated first. `then` is what
/// follows false and true.
fn compile(tree: &mut &[Operand], places: &mut u32, then: [Jump; 2], jumps: &mut [[Jump; 2]]) -> Jump {
    let Some((last, rest)) = tree.split_last() else { return Jump::Lost };
    *tree = rest;
    let [no, yes] = then;
    match last {
        Operand::Condition(_) => {
            *places -= 1;
            jumps[*places as usize] = then;
            Jump::Next(*places)
        }
        Operand::Diverges => Jump::Lost,
        Operand::Not => compile(tree, places, [yes, no], jumps),
        Operand::And => {
            let second = compile(tree, places, then, jumps);
            compile(tree, places, [no, second], jumps)
        }
        Operand::Or => {
            let second = compile(tree, places, then, jumps);
            compile(tree, places, [second, yes], jumps)
        }
    }
}
