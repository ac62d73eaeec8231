//! Heaps in an array, with unused room at the end.

use super::Generator;
use smallscope_catalogue::heap_array;

pub enum HeapArrays {}

/// As in the catalogue.
#[derive(Debug)]
#[expect(dead_code, reason = "only built and printed")]
pub struct HeapArray {
    size: usize,
    array: Vec<Option<u8>>,
}

impl Generator for HeapArrays {
    const STRUCTURE: &str = "heap-array";
    const SMALL: &[&[i64]] = &[&[1, 1, 1], &[3, 3, 3], &[2, 4, 3], &[4, 4, 4]];
    type Key = Option<u8>;
    type Value = HeapArray;
    type InCatalogue = heap_array::HeapArray<u8>;

    fn each(args: &[i64], visit: &mut impl FnMut(&[Option<u8>])) {
        let &[max_size, max_length, max_value] = args else { panic!("there are three arguments") };
        for length in 0..=max_length as usize {
            for size in 0..=length.min(max_size as usize) {
                fill(&mut vec![None; length], 0, size, max_value as u8, visit);
            }
        }
    }

    fn build(array: &[Option<u8>]) -> HeapArray {
        let size = array.iter().position(Option::is_none).unwrap_or(array.len());
        HeapArray { size, array: array.to_vec() }
    }

    fn text(heap: &HeapArray) -> String {
        format!("{heap:?}")
    }

    fn text_in_catalogue(heap: &heap_array::HeapArray<u8>) -> String {
        format!("{heap:?}")
    }
}

/// Fills the places from `at` up to `size` in all ways.
fn fill(
    array: &mut [Option<u8>],
    at: usize,
    size: usize,
    max_value: u8,
    visit: &mut impl FnMut(&[Option<u8>]),
) {
    if at == size {
        return visit(array);
    }
    let high = if at == 0 { max_value } else { array[(at - 1) / 2].unwrap_or(max_value) };
    for value in 0..=high {
        array[at] = Some(value);
        fill(array, at + 1, size, max_value, visit);
    }
}
