// Where values come from: the page itself, or the server that it came from. Both answer the same questions.

/** Values that are part of the page. */
class EmbeddedValues {
  constructor(data) {
    this.values = data.values;
    this.about = data.info;
    this.hasSearch = false;
  }

  async info() {
    return { ...this.about, known: this.values.length };
  }

  async value(number) {
    const value = this.values[number - 1];
    return value ?? { error: `there is no value ${number}; there are 1 to ${this.values.length}` };
  }

  async several(numbers) {
    return Promise.all(numbers.map((number) => this.value(number)));
  }

  async find(from, step, most, filter) {
    const terms = parseFilter(filter);
    const found = [];
    let at = from;
    while (at >= 1 && at <= this.values.length && found.length < most) {
      if (terms.every((term) => holds(term, this.values[at - 1]))) found.push(at);
      at += step;
    }
    return { found, at, end: at < 1 || at > this.values.length };
  }

  async classes() {
    return this.about.classes ?? { error: "this file has no classes" };
  }
}

/** Values that the server is asked for. */
class RemoteValues {
  constructor(data) {
    this.about = data.info;
    this.hasSearch = true;
    this.kept = new Map();
    this.rules = "";
    this.reads = "";
  }

  /** Lets rules say how fields are drawn, `up=parent height=hide`, and whether reads are numbered. */
  setDrawing(rules, hasReads) {
    const reads = hasReads ? "yes" : "";
    if (rules !== this.rules || reads !== this.reads) this.kept.clear();
    this.rules = rules;
    this.reads = reads;
  }

  async ask(path, parameters) {
    const query = new URLSearchParams(parameters);
    let response;
    try {
      response = await fetch(`${path}?${query}`, { cache: "no-store" });
    } catch {
      return { error: "the server has stopped: run `cargo smallscope view` again" };
    }
    return response.ok ? response.json() : { error: await response.text() };
  }

  async info() {
    return this.ask("info", {});
  }

  async value(number) {
    const kept = this.kept.get(number);
    if (kept) return kept;
    const value = await this.ask("value", { n: number, rules: this.rules, reads: this.reads });
    this.keep(number, value);
    return value;
  }

  keep(number, value) {
    if (value.error || value.pending) return;
    // Enough to go back and forth, and little enough for any memory.
    if (this.kept.size > 400) this.kept.delete(this.kept.keys().next().value);
    this.kept.set(number, value);
  }

  /** Returns some values. All that are not known are asked for at once. */
  async several(numbers) {
    const wanted = numbers.filter((number) => !this.kept.has(number));
    if (wanted.length > 0) {
      const answer = await this.ask("values", { n: wanted.join(" "), rules: this.rules, reads: this.reads });
      (answer.values ?? []).forEach((value, i) => this.keep(wanted[i], value));
    }
    return Promise.all(numbers.map((number) => this.value(number)));
  }

  async find(from, step, most, filter) {
    return this.ask("find", { from, step, most, filter });
  }

  async classes(by) {
    return this.ask("classes", { by });
  }

  async counts() {
    return this.ask("counts", {});
  }

  /** A step of the search, or of making summaries and then of the search that follows them. */
  async candidate(number, hasSummaries) {
    return this.ask(hasSummaries ? "summary" : "step", { n: number, rules: this.rules });
  }
}

const SIGNS = ["<=", ">=", "!=", "<", ">", "="];

/** Reads a filter: words that all have to hold. The server reads filters in the same way. */
function parseFilter(text) {
  return text.split(/\s+/).filter(Boolean).map((word) => {
    const places = SIGNS.map((sign) => [word.indexOf(sign), sign]).filter(([at]) => at > 0);
    places.sort(([a, left], [b, right]) => a - b || right.length - left.length);
    if (places.length === 0) return { contains: word.toLowerCase() };
    const [at, sign] = places[0];
    return { name: word.slice(0, at).toLowerCase(), sign, with: word.slice(at + sign.length) };
  });
}

function holds(term, value) {
  if (term.contains !== undefined) return value.text.toLowerCase().includes(term.contains);
  if (term.name === "objects") return compares(String(objectCount(value)), term.sign, term.with);
  if (term.name === "class") return value.class !== undefined && compares(value.class, term.sign, term.with);
  const fields = value.nodes.flatMap((node) => node.fields).filter((field) => field.name.toLowerCase() === term.name);
  return fields.flatMap((field) => field.texts).some((text) => compares(text, term.sign, term.with));
}

function objectCount(value) {
  return value.nodes.filter((node) => node.name.includes("#")).length;
}

function compares(text, sign, other) {
  const [a, b] = [Number(text), Number(other)];
  const areNumbers = text.trim() !== "" && other.trim() !== "" && !Number.isNaN(a) && !Number.isNaN(b);
  const [left, right] = areNumbers ? [a, b] : [text.toLowerCase(), other.toLowerCase()];
  switch (sign) {
    case "=": return left === right;
    case "!=": return left !== right;
    case "<": return left < right;
    case ">": return left > right;
    case "<=": return left <= right;
    default: return left >= right;
  }
}
