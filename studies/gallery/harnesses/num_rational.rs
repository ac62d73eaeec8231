//! Division that says so if it cannot be done.

use num_rational::Ratio;
use proptest::prelude::any;

compared! {
    #[smallscope::test(scope = 4)]
    fn(a: i8 = any::<i8>(), b: i8 = any::<i8>()) {
        let (Some(_), Some(_)) = (a.checked_neg(), b.checked_neg()) else { return };
        let quotient = num_traits::CheckedDiv::checked_div(&Ratio::from_integer(a), &Ratio::from_integer(b));
        assert_eq!(quotient.is_some(), b != 0);
    }
}
