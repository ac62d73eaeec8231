//! Days of the week.

use proptest::prelude::any;
use time::Date;

compared! {
    #[smallscope::test(scope = 4)]
    fn(year: i16 = any::<i16>(), day: u16 = any::<u16>()) {
        let Ok(date) = Date::try_from_yo(i32::from(year), day) else { return };
        let (Ok(next), true) = (Date::try_from_yo(i32::from(year), day.wrapping_add(1)), day < 365) else { return };
        assert_eq!(next.weekday(), date.weekday().next());
    }
}
