//! Positions on an axis.

use super::chart::Scale;
use super::figure::{number, width_of};

/// Maps values to places in the image.
pub(super) struct Ruler {
    scale: Scale,
    low: f64,
    high: f64,
    /// The distance of marks on an axis of differences.
    step: f64,
    /// Where it begins and ends in the image.
    from: f64,
    pub(super) to: f64,
}

impl Ruler {
    pub(super) fn new(scale: Scale, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Ruler {
        let shown = values.filter(|value| value.is_finite() && (scale == Scale::Linear || *value > 0.0));
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut is_whole = true;
        shown.for_each(|value| {
            (low, high) = (low.min(value), high.max(value));
            is_whole &= value.fract() == 0.0;
        });
        if low > high {
            (low, high) = (1.0, 1.0);
        }
        let mut step = 1.0;
        match scale {
            Scale::Linear => {
                low = low.min(0.0);
                // There is nothing between whole numbers.
                step = step_of(high - low).max(if is_whole { 1.0 } else { 0.0 });
                high = (high / step).ceil() * step;
            }
            Scale::Binary => (low, high) = (low.log2().floor().exp2(), high.log2().ceil().exp2()),
            Scale::Decimal => {
                (low, high) = (10f64.powf(low.log10().floor()), 10f64.powf(high.log10().ceil()));
            }
        }
        if low == high {
            high = if scale == Scale::Linear { low + 1.0 } else { 2.0 * low };
        }
        Ruler { scale, low, high, step, from, to }
    }

    pub(super) fn has(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value > 0.0)
    }

    pub(super) fn place(&self, value: f64) -> f64 {
        let part = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Binary | Scale::Decimal => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        self.from + part * (self.to - self.from)
    }

    /// The marks with their labels, or every second, third.. of them, so that labels of a width do not touch.
    pub(super) fn fitting(&self, width: impl Fn(&str) -> f64) -> Vec<(f64, String)> {
        let ticks: Vec<(f64, String)> =
            self.ticks().into_iter().map(|value| (value, self.label(value))).collect();
        let fits = |every: &usize| {
            let kept: Vec<&(f64, String)> = ticks.iter().step_by(*every).collect();
            kept.windows(2).all(|pair| {
                let distance = (self.place(pair[1].0) - self.place(pair[0].0)).abs();
                distance >= (width(&pair[0].1) + width(&pair[1].1)) / 2.0
            })
        };
        let every = (1..=ticks.len()).find(fits).unwrap_or(1);
        ticks.into_iter().step_by(every).collect()
    }

    /// The width of the widest label.
    pub(super) fn widest(&self) -> f64 {
        self.ticks().into_iter().map(|value| width_of(&self.label(value))).fold(0.0, f64::max)
    }

    /// The number at a mark: large and small ones as powers.
    fn label(&self, value: f64) -> String {
        match self.scale {
            _ if value == 0.0 || (1e-3..1e6).contains(&value.abs()) => number(value),
            Scale::Binary => format!("2{}", raised(value.log2().round() as i32)),
            Scale::Linear | Scale::Decimal => {
                let power = value.abs().log10().floor() as i32;
                // What is left of a sum of fractions is not shown.
                let factor = number(value / 10f64.powi(power));
                let times = if factor == "1" { String::new() } else { format!("{factor}·") };
                format!("{times}10{}", raised(power))
            }
        }
    }

    pub(super) fn ticks(&self) -> Vec<f64> {
        let (low, high) = (self.low, self.high);
        let powers = |base: f64| {
            let (first, last) = (low.log(base).round() as i32, high.log(base).round() as i32);
            // At most a dozen.
            let every = ((last - first) / 12 + 1) as usize;
            (first..=last).step_by(every).map(|power| base.powi(power)).collect()
        };
        match self.scale {
            Scale::Linear => {
                let first = (low / self.step).ceil() as i64;
                (first..)
                    .map(|i| i as f64 * self.step)
                    .take_while(|tick| *tick <= high * (1.0 + 1e-9))
                    .collect()
            }
            Scale::Binary => powers(2.0),
            Scale::Decimal => powers(10.0),
        }
    }
}

/// The distance of marks on a range: one, two or five, times a power of ten.
fn step_of(range: f64) -> f64 {
    let range = if range > 0.0 { range } else { 1.0 };
    let power = 10f64.powf((range / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| range / step <= 8.0).unwrap_or(10.0 * power)
}

/// Writes an exponent.
fn raised(power: i32) -> String {
    let digit = |c: char| match c {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '-' => '⁻',
        digit => digit.to_digit(10).and_then(|d| char::from_u32('⁰' as u32 + d)).unwrap_or('⁰'),
    };
    power.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short() {
        let label = |scale, value| Ruler::new(scale, [1.0].into_iter(), 0.0, 1.0).label(value);
        let texts = [0.0, 1000.0, 1e6, 2e6, 1.5e12, 0.01, 1e-5].map(|value| label(Scale::Linear, value));
        assert_eq!(texts, ["0", "1000", "10⁶", "2·10⁶", "1.5·10¹²", "0.01", "10⁻⁵"]);
        assert_eq!([1024.0, 0.000_122_070_312_5].map(|value| label(Scale::Binary, value)), ["1024", "2⁻¹³"]);
    }

    #[test]
    fn every_point_is_in_the_picture() {
        for scale in [Scale::Linear, Scale::Binary, Scale::Decimal] {
            let values = [0.003, 7.0, 1.0, 1024.0, 0.0];
            let ruler = Ruler::new(scale, values.into_iter(), 100.0, 0.0);
            for value in values.into_iter().filter(|value| ruler.has(*value)) {
                assert!((0.0..=100.0).contains(&ruler.place(value)), "{scale:?} {value}");
            }
            assert!((2..=14).contains(&ruler.ticks().len()), "{scale:?} {:?}", ruler.ticks());
            assert!(ruler.ticks().is_sorted());
        }
        assert_eq!(Ruler::new(Scale::Linear, [1.0, 3.0].into_iter(), 0.0, 1.0).ticks(), [0.0, 1.0, 2.0, 3.0]);
        assert!(Ruler::new(Scale::Linear, [5.0].into_iter(), 0.0, 1.0).place(5.0).is_finite());
        assert!(Ruler::new(Scale::Decimal, std::iter::empty(), 0.0, 1.0).place(1.0).is_finite());
    }
}
