//! Positions on an axis.

use super::Scale;

/// Maps values to places in the image.
pub(super) struct Ruler {
    scale: Scale,
    low: f64,
    high: f64,
    /// The distance of marks on an axis of differences.
    step: f64,
    /// Where it begins and ends in the image.
    pub(super) from: f64,
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

#[cfg(test)]
mod tests {
    use super::*;

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
