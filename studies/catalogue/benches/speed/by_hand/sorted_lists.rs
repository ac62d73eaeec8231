//! Sorted lists of `n` elements from 1 on.

use super::Generator;
use smallscope_catalogue::sorted_list::SortedList;

pub enum SortedLists {}

impl Generator for SortedLists {
    const STRUCTURE: &str = "sorted-list";
    const SMALL: &[&[i64]] = &[&[1, 1, 2, 1], &[3, 3, 4, 3], &[4, 4, 5, 2], &[5, 5, 6, 5]];
    type Key = u32;
    type Value = SortedList;
    type InCatalogue = SortedList;

    fn each(args: &[i64], visit: &mut impl FnMut(&[u32])) {
        let &[min_size, max_size, entries, max_element] = args else { panic!("there are four arguments") };
        assert!([min_size, max_size] == [entries - 1; 2] && max_size > 0, "all lists use all entries");
        fill(&mut vec![0; max_size as usize], 0, 1, max_element as u32, visit);
    }

    /// The largest element comes first: that is where the list looks for the place of the next one.
    fn build(elements: &[u32]) -> SortedList {
        let mut list = SortedList::new();
        elements.iter().rev().for_each(|element| list.insert(*element));
        list
    }

    fn text(list: &SortedList) -> String {
        format!("{:?}", list.elements())
    }

    fn text_in_catalogue(list: &SortedList) -> String {
        Self::text(list)
    }
}

/// Fills the elements from `at` on in all ways, with none below `low`.
fn fill(elements: &mut [u32], at: usize, low: u32, high: u32, visit: &mut impl FnMut(&[u32])) {
    for element in low..=high {
        elements[at] = element;
        if at + 1 == elements.len() {
            visit(elements);
        } else {
            fill(elements, at + 1, element, high, visit);
        }
    }
}
