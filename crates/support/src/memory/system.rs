//! What the system says about memory: `/proc` and control groups on Linux, nothing elsewhere.

use crate::miri;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Returns the resident memory of this process in bytes; none where it is not known.
pub fn resident() -> Option<u64> {
    Some(pages()?.1)
}

/// Returns how much memory this process could still get: that of the machine, of its control groups and of its limit on
/// addresses, whichever is least. None where it is not known.
pub fn free() -> Option<u64> {
    if miri::IS_RUNNING {
        return None;
    }
    let mut free = available(&fs::read_to_string("/proc/meminfo").ok()?)?;
    for group in groups() {
        free = free.min(group.free().unwrap_or(u64::MAX));
    }
    Some(free.min(free_addresses().unwrap_or(u64::MAX)))
}

/// The size of the address space and the resident memory of this process, in bytes.
fn pages() -> Option<(u64, u64)> {
    if miri::IS_RUNNING {
        return None;
    }
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let mut fields = text.split_ascii_whitespace();
    let size: u64 = fields.next()?.parse().ok()?;
    let resident: u64 = fields.next()?.parse().ok()?;
    let page = page_size();
    Some((size.saturating_mul(page), resident.saturating_mul(page)))
}

/// The size of a page. `smaps` has it in text; where that is not readable, it is assumed to be that of most machines.
fn page_size() -> u64 {
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let text = fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        field(&text, "KernelPageSize:").map_or(4096, |kilobytes| kilobytes << 10)
    })
}

/// The available memory in bytes, as `/proc/meminfo` has it. Kernels before 3.14 do not estimate it.
fn available(meminfo: &str) -> Option<u64> {
    if let Some(kilobytes) = field(meminfo, "MemAvailable:") {
        return kilobytes.checked_mul(1024);
    }
    let mut kilobytes: u64 = 0;
    for name in ["MemFree:", "Buffers:", "Cached:"] {
        kilobytes += field(meminfo, name)?;
    }
    kilobytes.checked_mul(1024)
}

/// The number behind a name at the beginning of a line.
///
/// It is called every few milliseconds, and a debug build has a call for each step of an iterator. So this goes over bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let (text, name) = (text.as_bytes(), name.as_bytes());
    let mut line = 0;
    while line + name.len() <= text.len() {
        let mut at = 0;
        while at < name.len() && text[line + at] == name[at] {
            at += 1;
        }
        if at == name.len() {
            return number(&text[line + at..]);
        }
        while line < text.len() && text[line] != b'\n' {
            line += 1;
        }
        line += 1;
    }
    None
}

/// The number at the beginning of a text, behind spaces; none if another word is there.
fn number(text: &[u8]) -> Option<u64> {
    let mut at = 0;
    while at < text.len() && matches!(text[at], b' ' | b'\t') {
        at += 1;
    }
    let (first, mut number) = (at, 0_u64);
    while at < text.len() && text[at].is_ascii_digit() {
        number = number.checked_mul(10)?.checked_add(u64::from(text[at] - b'0'))?;
        at += 1;
    }
    let ends = at == text.len() || text[at].is_ascii_whitespace();
    if at > first && ends { Some(number) } else { None }
}

/// The addresses that this process may still use, if they are limited (`ulimit -v`).
fn free_addresses() -> Option<u64> {
    static MOST: OnceLock<Option<u64>> = OnceLock::new();
    let most = (*MOST.get_or_init(|| {
        let limits = fs::read_to_string("/proc/self/limits").ok()?;
        // "unlimited" is not a number.
        field(&limits, "Max address space")
    }))?;
    Some(most.saturating_sub(pages()?.0))
}

/// A control group whose memory may be limited.
struct Group {
    folder: PathBuf,
    /// The names of its files: the limit, what is used, and in `memory.stat` the part of it that is given back on demand.
    files: [&'static str; 3],
}

const VERSION_1: [&str; 3] = ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "];
const VERSION_2: [&str; 3] = ["memory.max", "memory.current", "inactive_file "];

impl Group {
    fn free(&self) -> Option<u64> {
        let number = |file: &str| fs::read_to_string(self.folder.join(file)).ok()?.trim().parse::<u64>().ok();
        let [most, used, given_back] = self.files;
        // "max" is not a number.
        let most = number(most)?;
        let used = number(used)?;
        let stat = fs::read_to_string(self.folder.join("memory.stat")).unwrap_or_default();
        let given_back = field(&stat, given_back).unwrap_or(0);
        Some(most.saturating_sub(used.saturating_sub(given_back)))
    }
}

/// The groups of this process that have a limit.
fn groups() -> &'static [Group] {
    static GROUPS: OnceLock<Vec<Group>> = OnceLock::new();
    GROUPS.get_or_init(|| {
        let text = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        groups_in(&text, Path::new("/sys/fs/cgroup"))
    })
}

/// The groups of a process with a limit, where control groups are mounted in the usual place: its own and those around
/// it. In a container the outermost folder may be that of the container.
fn groups_in(cgroup: &str, mount: &Path) -> Vec<Group> {
    let mut groups = vec![];
    for line in cgroup.lines() {
        let Some((_number, rest)) = line.split_once(':') else { continue };
        let Some((controllers, path)) = rest.split_once(':') else { continue };
        let (root, files) = match controllers {
            "" => (mount.to_owned(), VERSION_2),
            _ if controllers.split(',').any(|name| name == "memory") => (mount.join("memory"), VERSION_1),
            _ => continue,
        };
        for around in Path::new(path.trim_start_matches('/')).ancestors() {
            let group = Group { folder: root.join(around), files };
            if group.free().is_some() {
                groups.push(group);
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_is_read() {
        let new = "MemTotal:       24684112 kB\nMemFree: 100 kB\nMemAvailable:   300 kB\nBuffers: 20 kB\nCached: 3 kB\n";
        assert_eq!(available(new), Some(300 << 10));
        let old = "MemTotal:       24684112 kB\nMemFree: 100 kB\nBuffers: 20 kB\nCached: 3 kB\n";
        assert_eq!(available(old), Some(123 << 10));
        assert_eq!(available(""), None);
    }

    #[test]
    fn limits_of_addresses_are_read() {
        let line = |limit: &str| {
            format!("Max locked memory 1 2 bytes\nMax address space         {limit}  unlimited  bytes\n")
        };
        assert_eq!(field(&line("2048000000"), "Max address space"), Some(2_048_000_000));
        assert_eq!(field(&line("unlimited"), "Max address space"), None);
    }

    #[test]
    fn the_least_group_counts() {
        let mount = std::env::temp_dir().join(format!("smallscope-cgroup-{}", std::process::id()));
        let write = |folder: &str, files: &[(&str, &str)]| {
            let folder = mount.join(folder);
            fs::create_dir_all(&folder).unwrap();
            files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
        };
        write("", &[]);
        write(
            "a",
            &[
                ("memory.max", "1000\n"),
                ("memory.current", "900\n"),
                ("memory.stat", "anon 1\ninactive_file 50\n"),
            ],
        );
        write("a/b", &[("memory.max", "max\n"), ("memory.current", "10\n")]);
        write(
            "memory/c",
            &[("memory.limit_in_bytes", "500\n"), ("memory.usage_in_bytes", "600\n"), ("memory.stat", "")],
        );
        let free = |cgroup| groups_in(cgroup, &mount).iter().filter_map(Group::free).collect::<Vec<_>>();
        assert_eq!(free("0::/a/b\n"), [150]);
        assert_eq!(free("4:cpu,memory:/c/d\n0::/\n"), [0]);
        assert_eq!(free("3:cpu:/c\nnonsense\n"), [0; 0]);
        fs::remove_dir_all(&mount).unwrap();
    }
}
