//! Whether two buffers are equal.

use circular_buffer::CircularBuffer;
use proptest::collection::vec;
use proptest::prelude::any;

compared! {
    #[smallscope::test(scope = 4)]
    fn(a: Vec<u8> = vec(any::<u8>(), 0..10), b: Vec<u8> = vec(any::<u8>(), 0..10)) {
        let left: CircularBuffer<3, u8> = a.iter().copied().collect();
        let right: CircularBuffer<3, u8> = b.iter().copied().collect();
        assert_eq!(left == right, a[a.len().saturating_sub(3)..] == b[b.len().saturating_sub(3)..]);
    }
}
