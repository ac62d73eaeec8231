//! Standard Young tableaux. `Bounds::scope(n).ints("Tableau.rows", 1..=n)`: 1, 2, 4, 8, 18, 44, 120, 352 values up to n cells, n = 0..7.
//! Explored today for n = 3: 65,641.
use smallscope::{Bounded, rep_ok};

#[derive(Bounded, Debug)]
pub struct Tableau {
    rows: Vec<Vec<u8>>,
}

#[rep_ok]
impl Tableau {
    fn rep_ok(&self) -> bool {
        let n: usize = self.rows.iter().map(|r| r.len()).sum();
        let mut all: Vec<u8> = self.rows.iter().flatten().copied().collect();
        all.sort();
        self.rows.iter().all(|r| !r.is_empty() && r.is_sorted_by(|a, b| a < b))
            && self.rows.iter().zip(self.rows.iter().skip(1)).all(|(above, below)| {
                above.len() >= below.len() && above.iter().zip(below).all(|(a, b)| a < b)
            })
            && all.into_iter().eq(1..=n as u8)
    }
}
