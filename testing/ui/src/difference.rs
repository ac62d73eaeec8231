//! Two texts, line by line.

/// The lines of both, each with what happened to it: `-` if it is only in the old text, `+` if only in the new one.
pub(crate) fn difference(old: &str, new: &str) -> String {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    // The most lines that the rest of one and the rest of the other have in common, by where these begin.
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let mut lines = String::new();
    let mut say = |sign, line| lines.extend(["    ", sign, line, "\n"]);
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            say("  ", old[i]);
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            say("- ", old[i]);
            i += 1;
        } else {
            say("+ ", new[j]);
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn lines_are_kept_removed_and_added() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\nc\nd\n"), "      a\n    - b\n    + x\n      c\n    + d\n");
        assert_eq!(difference("", "a"), "    + a\n");
        assert_eq!(difference("a", ""), "    - a\n");
    }
}
