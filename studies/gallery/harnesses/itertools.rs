//! An iterator that is padded at its end, taken from both ends.

use itertools::Itertools;
use proptest::collection::vec;
use proptest::prelude::any;

compared! {
    #[smallscope::test(scope = 4)]
    fn(items: Vec<u8> = vec(any::<u8>(), 0..10), least: u8 = 0..10u8, from_back: Vec<bool> = vec(any::<bool>(), 0..10)) {
        let least = usize::from(least % 16);
        let mut expected: std::collections::VecDeque<u8> = items.iter().copied().collect();
        while expected.len() < least {
            expected.push_back(expected.len() as u8);
        }
        let mut padded = items.into_iter().pad_using(least, |at| at as u8);
        for from_back in from_back {
            if from_back {
                assert_eq!(padded.next_back(), expected.pop_back());
            } else {
                assert_eq!(padded.next(), expected.pop_front());
            }
        }
    }
}
