//! The options of the command line.

use std::path::PathBuf;

pub struct Options {
    pub seeds: u64,
    pub tests: u64,
    pub container: Option<String>,
    pub figures: Option<PathBuf>,
    pub list: bool,
}

impl Options {
    pub fn read(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options { seeds: 5, tests: 1000, container: None, figures: None, list: false };
        while let Some(name) = arguments.next() {
            if name == "--list" {
                options.list = true;
                continue;
            }
            let value = arguments.next().ok_or_else(|| format!("`{name}` needs a value, or is no option"))?;
            let number = || {
                let number = value.parse().ok().filter(|number| *number > 0);
                number.ok_or_else(|| format!("`{name} {value}`: expected a number above zero"))
            };
            match &*name {
                "--seeds" => options.seeds = number()?,
                "--tests" => options.tests = number()?,
                "--container" => options.container = Some(value),
                "--figures" => options.figures = Some(value.into()),
                _ => {
                    return Err(format!(
                        "there is no option `{name}`; there are --seeds, --tests, --container, --figures and --list"
                    ));
                }
            }
        }
        Ok(options)
    }
}
