//! A browser, driven over WebDriver: JSON over HTTP, so that no crate is needed.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running browser with one window.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    profile: PathBuf,
}

impl Browser {
    /// Starts Debian's chromium. None if it is not installed.
    pub fn start(name: &str) -> Option<Browser> {
        let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chromium-{name}"));
        let _ = std::fs::remove_dir_all(&profile);
        std::fs::create_dir_all(&profile).unwrap();
        let spawned =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut driver) = spawned else {
            eprintln!("SKIPPED: chromedriver is not installed; `apt-get install chromium chromium-driver`");
            return None;
        };
        let stdout = BufReader::new(driver.stdout.take().unwrap());
        let started =
            stdout.lines().map_while(Result::ok).find(|line| line.contains("started successfully on port"));
        let port = started.expect("chromedriver says its port");
        let port = port.rsplit(' ').next().unwrap().trim_end_matches('.').parse().unwrap();
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            &format!("--user-data-dir={}", profile.display()),
        ];
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let mut browser = Browser { driver, port, session: String::new(), profile };
        let answer = browser.send("POST", "/session", &capabilities);
        browser.session =
            answer["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {answer}")).to_owned();
        browser.resize(1200, 800, 1.0);
        Some(browser)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let body = if method == "GET" { String::new() } else { body.to_string() };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        // The driver keeps connections open, so the length says where the answer ends.
        let mut stream = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                break;
            }
            if let Some(given) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = given.trim().parse().unwrap();
            }
        }
        let mut answer = vec![0; length];
        stream.read_exact(&mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let value: Value = serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
        assert!(value["value"].get("error").is_none(), "{method} {path}: {}", value["value"]);
        value["value"].clone()
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.send(method, &format!("/session/{}/{path}", self.session), body)
    }

    /// Opens a page, and waits until it shows something.
    pub fn open(&self, url: &str) {
        self.ask("POST", "url", &json!({"url": url}));
    }

    /// Runs a script, and returns its result. Promises are waited for.
    pub fn run(&self, script: &str) -> Value {
        self.ask("POST", "execute/sync", &json!({"script": script, "args": []}))
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let start = Instant::now();
        while self.run(&format!("return Boolean({expression})")) != true {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "{expression} stays false: {}",
                self.run("return document.body.innerText")
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key, as a user does.
    pub fn press(&self, key: &str) {
        let key = match key {
            "ArrowRight" => "\u{e014}",
            "ArrowLeft" => "\u{e012}",
            "Home" => "\u{e011}",
            "End" => "\u{e010}",
            "Tab" => "\u{e004}",
            "Enter" => "\u{e007}",
            "Escape" => "\u{e00c}",
            key => key,
        };
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.ask(
            "POST",
            "actions",
            &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}),
        );
    }

    /// Types a text.
    pub fn type_text(&self, text: &str) {
        text.chars().for_each(|c| self.press(&c.to_string()));
    }

    /// Clicks on the element with an identifier.
    pub fn click(&self, id: &str) {
        let found = self.ask("POST", "element", &json!({"using": "css selector", "value": format!("#{id}")}));
        let element = found.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_owned();
        self.ask("POST", &format!("element/{element}/click"), &json!({}));
    }

    /// Sends a command of the developer tools.
    pub fn tools(&self, command: &str, parameters: Value) -> Value {
        self.ask("POST", "goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// Sets the size of the page.
    pub fn resize(&self, width: u32, height: u32, scale: f64) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600});
        self.tools("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Saves a picture of the window.
    pub fn screenshot(&self, name: &str) {
        let folder = std::env::var_os("SMALLSCOPE_SCREENSHOTS")
            .map_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots"), PathBuf::from);
        std::fs::create_dir_all(&folder).unwrap();
        let picture = self.ask("GET", "screenshot", &Value::Null);
        std::fs::write(folder.join(format!("{name}.png")), from_base64(picture.as_str().unwrap())).unwrap();
    }

    /// Returns the messages of a log since the last call.
    pub fn log(&self, kind: &str) -> Vec<Value> {
        self.ask("POST", "se/log", &json!({"type": kind})).as_array().cloned().unwrap_or_default()
    }

    /// Checks that nothing was reported to the console, and that no request left this computer.
    pub fn check_quiet(&self) {
        let messages = self.log("browser");
        assert!(messages.is_empty(), "{messages:#?}");
        for entry in self.log("performance") {
            let event: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            let event = &event["message"];
            if event["method"] == "Network.requestWillBeSent" {
                let url = event["params"]["request"]["url"].as_str().unwrap();
                let is_local = ["http://127.0.0.1:", "blob:", "data:", "file:", "about:", "chrome:"];
                assert!(is_local.iter().any(|start| url.starts_with(start)), "a request to {url}");
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.send("DELETE", &format!("/session/{}", self.session), &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|c| *c != b'=').map(digit).collect();
    let mut bytes = vec![];
    for group in digits.chunks(4) {
        let bits = group.iter().enumerate().fold(0u32, |bits, (i, d)| bits | u32::from(*d) << (18 - 6 * i));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}
