//! Records of failures: one file per module, one line per failing value, tried first in later runs.
//!
//! ```text
//! tree::tests::remove_works 3:1.0.2@8f3a91c2d4e5f607 # the message of the failure
//! ```
//!
//! A record is the value itself, not a seed. It can be replayed as long as type and bounds give candidates the same
//! meaning, which the fingerprint after the `@` checks. The library only adds lines; users delete them.

use super::replay::ReplayCandidate;
use crate::forced::on_one_line;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folder, in the directory of the crate's manifest.
const FOLDER: &str = "smallscope-regressions";

const HEADER: &str = "\
# Values for which a smallscope test has failed. They are tried first; keep this file under version control.
# One line per value: test, position, comment. To forget a value, delete its line.
";

#[cfg(feature = "sequences")]
const HEADER_OF_SEQUENCES: &str = "\
# Sequences of calls for which a smallscope test has failed. They are tried first; keep this file under version control.
# One line per sequence: test, calls, comment. To forget a sequence, delete its line.
";

/// A file of records.
#[derive(Debug, Clone)]
pub(crate) struct Regressions {
    folder: PathBuf,
    name: String,
    header: &'static str,
}

/// A line of such a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    /// The number of the line, counted from 1.
    pub(crate) line: usize,
    pub(crate) test: String,
    pub(crate) position: ReplayCandidate,
}

impl Regressions {
    /// Returns the records of a module (`my_crate::tree`) of the crate in a directory.
    pub(crate) fn new(directory: &Path, module: &str) -> Regressions {
        let mut name = String::new();
        let mut chars = module.chars().peekable();
        while let Some(c) = chars.next() {
            name.push(match c {
                ':' if chars.next_if_eq(&':').is_some() => '-',
                _ if c.is_alphanumeric() || c == '-' => c,
                // Other characters may not be allowed in the name of a file.
                _ => '_',
            });
        }
        name.push_str(".txt");
        Regressions { folder: directory.join(FOLDER), name, header: HEADER }
    }

    /// Returns the file for call sequences, next to that for values.
    #[cfg(feature = "sequences")]
    pub(crate) fn of_sequences(&self) -> Regressions {
        let stem = self.name.trim_end_matches(".txt");
        Regressions {
            folder: self.folder.clone(),
            name: format!("{stem}-sequences.txt"),
            header: HEADER_OF_SEQUENCES,
        }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// Returns the path for messages, relative to the crate.
    pub(crate) fn short_path(&self) -> String {
        format!("{FOLDER}/{}", self.name)
    }

    fn read(&self) -> Result<String, String> {
        let path = self.path();
        match fs::read_to_string(&path) {
            Ok(text) => Ok(text),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            Err(e) => Err(format!("{} cannot be read: {e}", path.display())),
        }
    }

    /// Returns the lines of one test without parsing them: their numbers, counted from 1, and the text after the name.
    #[cfg(feature = "sequences")]
    pub(crate) fn load_texts(&self, test: &str) -> Result<Vec<(usize, String)>, String> {
        let name = one_word(test);
        let text = self.read()?;
        let of_test = |line| without_comment(line).split_once(' ').filter(|(test, _)| *test == name);
        let lines = (1..).zip(text.lines());
        Ok(lines.filter_map(|(number, line)| Some((number, of_test(line)?.1.trim().to_owned()))).collect())
    }

    /// Returns the records of one test.
    pub(crate) fn load(&self, test: &str) -> Result<Vec<Record>, String> {
        let path = self.path();
        let text = self.read()?;
        let records = parse(&text).map_err(|(line, why)| {
            format!(
                "{}:{line}: {why}; a line is `test position # comment`: correct or delete it",
                path.display()
            )
        })?;
        let test = one_word(test);
        let mut of_test = vec![];
        for record in records {
            if record.test == test {
                of_test.push(record);
            }
        }
        Ok(of_test)
    }

    /// Adds a record, unless the file has it. Keeps what other threads and processes add at the same time.
    pub(crate) fn add(&self, test: &str, position: &ReplayCandidate, comment: &str) -> io::Result<()> {
        self.add_text(test, &position.to_string(), comment)
    }

    /// Adds a record with any text.
    pub(crate) fn add_text(&self, test: &str, what: &str, comment: &str) -> io::Result<()> {
        static HERE: Mutex<()> = Mutex::new(());
        let _here = HERE.lock().unwrap_or_else(PoisonError::into_inner);
        // Not `create_dir_all`: if the directory of the crate does not exist here, it must not be created.
        match fs::create_dir(&self.folder) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
            _ => {}
        }
        let path = self.path();
        let append = || OpenOptions::new().append(true).open(&path);
        let (mut file, mut text) = match OpenOptions::new().append(true).create_new(true).open(&path) {
            Ok(file) => (file, self.header.to_owned()),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => (append()?, String::new()),
            Err(e) => return Err(e),
        };
        let before = fs::read_to_string(&path)?;
        let key = format!("{} {what}", one_word(test));
        if before.lines().any(|line| without_comment(line) == key) {
            return Ok(());
        }
        if !before.is_empty() && !before.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("{key} # {}\n", one_line(comment)));
        // In one write at the end of the file, so that processes do not need a lock.
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }
}

fn without_comment(line: &str) -> &str {
    line.split_once('#').map_or(line, |(front, _)| front).trim()
}

/// Parses a file. The error is the first malformed line, and why it is malformed.
fn parse(text: &str) -> Result<Vec<Record>, (usize, String)> {
    let mut records = vec![];
    for (i, line) in text.lines().enumerate() {
        let mut words = vec![];
        for word in without_comment(line).split_whitespace() {
            words.push(word);
        }
        match words[..] {
            [] => {}
            [test, position] => {
                let position = position.parse().map_err(|why| (i + 1, why))?;
                records.push(Record { line: i + 1, test: test.to_owned(), position });
            }
            _ => return Err((i + 1, format!("{} words before the comment instead of two", words.len()))),
        }
    }
    Ok(records)
}

/// Returns the name of a test as the file has it.
fn one_word(test: &str) -> String {
    let mut word = String::new();
    for c in test.chars() {
        word.push(if c.is_whitespace() || c == '#' { '_' } else { c });
    }
    word
}

/// Returns a comment on one line, shortened if it is long.
fn one_line(comment: &str) -> String {
    on_one_line(comment, 160, "...")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory that is removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let dir = std::env::temp_dir().join(format!("smallscope-unit-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&dir);
            fs::create_dir(&dir).unwrap();
            Scratch(dir)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn position(text: &str) -> ReplayCandidate {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_added_is_found_again_once() {
        let dir = Scratch::new("round-trip");
        let r = Regressions::new(&dir.0, "app::tree");
        assert_eq!(r.load("t"), Ok(vec![]));
        for _ in 0..2 {
            r.add("t", &position("3:1.0@000000000000000a"), "two\nlines # and a hash").unwrap();
        }
        r.add("name with #", &position("exact:-"), "").unwrap();
        let found = r.load("t").unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].position.to_string(), "3:1.0@000000000000000a");
        let text = fs::read_to_string(dir.0.join("smallscope-regressions/app-tree.txt")).unwrap();
        assert_eq!(
            text.lines().nth(found[0].line - 1),
            Some("t 3:1.0@000000000000000a # two lines # and a hash")
        );
        assert!(text.starts_with(HEADER));
        assert_eq!(r.load("name with #").unwrap().len(), 1);
        assert_eq!(fs::read_dir(&r.folder).unwrap().count(), 1);
    }

    #[test]
    fn what_people_wrote_stays() {
        let dir = Scratch::new("people");
        let r = Regressions::new(&dir.0, "app");
        fs::create_dir(&r.folder).unwrap();
        fs::write(r.path(), "# mine\n\nother 1:0").unwrap();
        r.add("t", &position("2:0"), "c").unwrap();
        assert_eq!(fs::read_to_string(r.path()).unwrap(), "# mine\n\nother 1:0\nt 2:0 # c\n");
    }

    #[test]
    fn a_malformed_line_is_an_error_with_its_number() {
        let dir = Scratch::new("malformed");
        let r = Regressions::new(&dir.0, "app");
        fs::create_dir(&r.folder).unwrap();
        for (bad, why) in [("t 1:0 rest", "3 words"), ("t 1:x", "is not a value to replay"), ("t", "1 words")]
        {
            fs::write(r.path(), format!("# head\n\n{bad}\n")).unwrap();
            let error = r.load("another test").unwrap_err();
            assert!(error.contains("app.txt:3: ") && error.contains(why), "{error}");
        }
    }

    #[test]
    fn nothing_is_lost_when_many_write() {
        let dir = Scratch::new("many");
        let r = Regressions::new(&dir.0, "app");
        std::thread::scope(|s| {
            for i in 0..8 {
                let r = &r;
                s.spawn(move || r.add("t", &position(&format!("{i}:0")), "c").unwrap());
            }
        });
        assert_eq!(r.load("t").unwrap().len(), 8);
    }

    #[test]
    fn a_missing_crate_directory_is_not_made() {
        let dir = Scratch::new("missing");
        let r = Regressions::new(&dir.0.join("gone"), "app");
        assert!(r.add("t", &position("1:0"), "c").is_err());
        assert!(!dir.0.join("gone").exists());
    }
}
