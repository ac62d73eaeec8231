//! Paths of valid candidates, in search order, as the searches for real structures find them.

/// The action for each path.
pub type Visit<'a> = &'a mut dyn FnMut(&[u32]);

/// Search trees with this many nodes and keys. The reads are: the root, left and right of each node breadth-first, the
/// size, the keys in preorder.
pub fn search_trees(nodes: std::ops::RangeInclusive<usize>, keys: u32, visit: Visit) {
    if nodes.contains(&0) {
        visit(&[0, 0]);
    }
    let mut shapes = Shapes { path: vec![1], nodes: 1 };
    shapes.each(*nodes.end(), &mut |links, count| {
        if nodes.contains(&count) {
            let mut preorder = vec![];
            rank(links, 1, &mut 0, &mut preorder);
            let path = [links, &[count as u32]].concat();
            let mut tree = Keys { path, preorder, by_rank: vec![None; count], keys };
            tree.each(visit);
        }
    });
}

/// The links of a tree up to here.
struct Shapes {
    path: Vec<u32>,
    nodes: usize,
}

impl Shapes {
    fn each(&mut self, most: usize, visit: &mut dyn FnMut(&[u32], usize)) {
        if self.path.len() == 1 + 2 * self.nodes {
            return visit(&self.path, self.nodes);
        }
        self.path.push(0);
        self.each(most, visit);
        self.path.pop();
        if self.nodes < most {
            self.nodes += 1;
            self.path.push(self.nodes as u32);
            self.each(most, visit);
            self.path.pop();
            self.nodes -= 1;
        }
    }
}

/// The rank of each node among the keys, in preorder.
fn rank(links: &[u32], node: u32, next: &mut usize, preorder: &mut Vec<usize>) {
    if node == 0 {
        return;
    }
    let place = preorder.len();
    preorder.push(0);
    rank(links, links[2 * node as usize - 1], next, preorder);
    preorder[place] = *next;
    *next += 1;
    rank(links, links[2 * node as usize], next, preorder);
}

/// The keys of a tree up to here.
struct Keys {
    path: Vec<u32>,
    preorder: Vec<usize>,
    by_rank: Vec<Option<u32>>,
    keys: u32,
}

impl Keys {
    fn each(&mut self, visit: Visit) {
        let count = self.by_rank.len();
        let done = self.by_rank.iter().flatten().count();
        let Some(&rank) = self.preorder.get(done) else { return visit(&self.path) };
        for key in 0..self.keys {
            let has_room = |(other, other_key): (usize, &Option<u32>)| match *other_key {
                Some(k) if other < rank => k + (rank - other) as u32 <= key,
                Some(k) => key + (other - rank) as u32 <= k,
                None => true,
            };
            let inside = key >= rank as u32 && key + (count - rank) as u32 <= self.keys;
            if inside && self.by_rank.iter().enumerate().all(has_room) {
                self.by_rank[rank] = Some(key);
                self.path.push(key);
                self.each(visit);
                self.path.pop();
                self.by_rank[rank] = None;
            }
        }
    }
}

/// Doubly linked rings with up to this many entries, including the header; at most this many paths. The reads are: the
/// header, its element, next and previous around the ring, the size, the other elements. An element is none, one of
/// those before, or a new one: a set partition.
pub fn doubly_linked_lists(entries: u32, mut most: usize, visit: Visit) {
    for size in 1..=entries {
        let mut path = vec![1, 1];
        (1..size).for_each(|entry| path.extend([entry + 1, entry]));
        path.extend([1, size, size]);
        let links = path.len();
        path.resize(links + size as usize - 1, 0);
        loop {
            if most == 0 {
                return;
            }
            most -= 1;
            visit(&path);
            let fresh = |i: usize| path[links..i].iter().fold(1, |most, &c| most.max(c)) + 1;
            let Some(last) = (links..path.len()).rev().find(|&i| path[i] < fresh(i)) else { break };
            path[last] += 1;
            path[last + 1..].fill(0);
        }
    }
}
