// The page: what is shown, and what keys and buttons do about it.

const data = JSON.parse(element("data").textContent);
const source = data.values ? new EmbeddedValues(data) : new RemoteValues(data);

const VIEWS = ["value", "grid", "classes", "search", "counts"];
/** Views that take the place of a drawing with its text. */
const WHOLE_VIEWS = ["grid", "classes", "counts"];
/** What only a server can show. */
const NEEDS_SEARCH = ["search", "counts"];

/** Whether there is something to show in a view. */
function has(view) {
  if (view === "classes") return source.hasSearch || data.info.classes !== undefined;
  return source.hasSearch || !NEEDS_SEARCH.includes(view);
}

/** What is shown. The address of the page says the same, so that it can be passed on. */
const state = { view: "value", number: 1, filter: "", against: 0, step: 1, summaries: false, color: "", rules: "", by: "" };
let info = data.info;
let shown;
let playing;
let turn = 0;

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const whole = (name) => Math.max(0, Math.floor(Number(given.get(name)) || 0));
  state.view = VIEWS.includes(given.get("view")) ? given.get("view") : "value";
  if (!has(state.view)) state.view = "value";
  state.number = whole("value") || 1;
  state.step = whole("step") || 1;
  state.summaries = given.get("of") === "summaries";
  state.against = whole("against");
  state.filter = given.get("filter") ?? "";
  state.color = given.get("color") ?? "";
  state.by = given.get("by") ?? "";
  state.rules = source.hasSearch ? given.get("rules") ?? "" : "";
}

function writeAddress() {
  const address = new URLSearchParams({ value: state.number });
  if (state.view !== "value") address.set("view", state.view);
  if (state.view === "search") address.set("step", state.step);
  if (state.view === "search" && state.summaries) address.set("of", "summaries");
  if (state.against > 0) address.set("against", state.against);
  if (state.filter) address.set("filter", state.filter);
  if (state.color) address.set("color", state.color);
  if (state.view === "classes" && state.by) address.set("by", state.by);
  if (state.rules) address.set("rules", state.rules);
  history.replaceState(null, "", `#${address}`);
}

function notice(text, isBad = false) {
  const line = element("notice");
  line.textContent = text;
  line.classList.toggle("bad", isBad);
}

/** Shows the state. An older call that is still waiting for its data gives up. */
async function show() {
  turn += 1;
  const mine = turn;
  writeAddress();
  if (source.hasSearch) source.setDrawing(state.rules, state.color === READS);
  for (const view of VIEWS) element(`tab-${view}`).setAttribute("aria-pressed", String(state.view === view));
  element("value-view").hidden = WHOLE_VIEWS.includes(state.view);
  for (const view of WHOLE_VIEWS) element(`${view}-view`).hidden = state.view !== view;
  if (!data.failure) element("controls").hidden = ["counts", "classes"].includes(state.view);
  element("compare").hidden = state.view !== "value";
  element("filter-label").hidden = state.view === "search";
  element("color-label").hidden = state.view === "search";
  element("copy").hidden = state.view === "search";
  element("steps-label").hidden = state.view !== "search" || info.engine !== "lazy";
  element("steps-of").value = state.summaries ? "summaries" : "";
  element("rules").hidden = state.view !== "value" || !source.hasSearch;
  element("compare").setAttribute("aria-pressed", String(state.against > 0));
  if (element("filter").value.trim() !== state.filter) element("filter").value = state.filter;
  if (state.view === "value") await showValue(mine);
  if (state.view === "grid") await showGrid(mine);
  if (state.view === "classes") await showClasses(mine);
  if (state.view === "search") await showCandidate(mine);
  if (state.view === "counts") await showCounts(mine);
  showCount();
}

function showCount() {
  const isSearch = state.view === "search";
  const known = isSearch ? shown?.known ?? 0 : info.known;
  const isAll = isSearch ? shown?.all ?? false : info.all;
  element("total").textContent = `of ${known.toLocaleString("en")}${isAll ? "" : " or more"}`;
  element("number").value = String(isSearch ? state.step : state.number);
  const at = isSearch ? state.step : state.number;
  const isFirst = at <= 1;
  const isLast = isAll && at >= known;
  for (const id of ["first", "previous"]) element(id).disabled = isFirst && state.filter === "";
  for (const id of ["next", "last"]) element(id).disabled = isLast && state.filter === "";
  const scope = info.scope === null || info.scope === undefined ? "" : ` · scope ${info.scope}`;
  const engine = info.engine ? ` · engine ${info.engine}` : "";
  const count = `${info.known.toLocaleString("en")} value${info.known === 1 ? "" : "s"}${info.all ? "" : " so far"}`;
  element("subtitle").textContent = `${info.type ?? ""}${scope}${engine} · ${count}${info.all && info.ending ? ` · ${info.ending}` : ""}`;
}

/** Offers the fields of a value for colours, with the chosen one even if this value does not have it. */
function offerColors(value) {
  const names = new Set([TYPE, source.hasSearch ? READS : "", ...plainFields(value), state.color].filter(Boolean));
  const labels = { [TYPE]: "type", [READS]: "order of reads" };
  const options = [...names].map((name) => make("option", { value: name }, labels[name] ?? name));
  element("color").replaceChildren(make("option", { value: "" }, value.color ? `as drawn (${value.color})` : "as drawn"), ...options);
  element("color").value = state.color;
}

const PLACES = ["", "hide", "left", "right", "below", "next", "previous", "parent", "inline"];

/** Offers a place for each field of an object. */
function offerRules(value) {
  const chosen = new Map(state.rules.split(" ").filter(Boolean).map((rule) => rule.split("=")));
  const objects = value.nodes.filter(({ name }) => name.includes("#"));
  const names = [...new Set(objects.flatMap(({ fields }) => fields.map(({ name }) => name)))].filter(Boolean);
  const rows = names.map((name) => {
    const select = make("select", {}, ...PLACES.map((place) => make("option", { value: place }, place || "by its name")));
    select.value = chosen.get(name) ?? "";
    select.addEventListener("change", () => {
      chosen.set(name, select.value);
      state.rules = [...chosen].filter(([, place]) => place).map((rule) => rule.join("=")).join(" ");
      show();
    });
    return make("label", {}, name, select);
  });
  element("rules").hidden = !source.hasSearch || names.length === 0;
  // A row that is in use stays, with its focus.
  if (!element("rule-list").contains(document.activeElement)) element("rule-list").replaceChildren(...rows);
}

/** Offers only the copies that a value has. */
function showCopies(value) {
  for (const button of element("copy").children) button.hidden = button.dataset.needs !== undefined && !value[button.dataset.needs];
}

/** What is written over a drawing. */
function captionOf(value) {
  return value.caption ?? `value ${value.number}${value.class ? `, class ${value.class}` : ""}`;
}

async function showValue(mine) {
  const value = await patiently(() => source.value(state.number), mine);
  const other = state.against > 0 ? await patiently(() => source.value(state.against), mine) : undefined;
  if (mine !== turn) return;
  if (!value || value.error) return showProblem(value?.error ?? "");
  shown = value;
  showCopies(value);
  element("reads").replaceChildren();
  const { figure, svg } = figureOf(value, captionOf(value));
  offerColors(value);
  offerRules(value);
  paint(svg, value, state.color);
  let changed = [];
  if (other && !other.error) {
    const second = figureOf(other, captionOf(other));
    paint(second.svg, other, state.color);
    changed = differences(value, other);
    markDifferences(svg, changed);
    markDifferences(second.svg, differences(other, value));
    element("drawings").replaceChildren(second.figure, figure);
    notice(changed.length === 0 ? "No differences." : `${changed.length} difference${changed.length === 1 ? "" : "s"} from ${captionOf(other)}.`);
  } else {
    element("drawings").replaceChildren(figure);
    const drawn = svg.querySelectorAll(".plate").length;
    const isPart = drawn < value.nodes.length;
    notice(isPart ? `The first ${drawn} of ${value.nodes.length} objects are drawn.` : state.filter ? `Filter: ${state.filter}` : "");
  }
  element("details-title").textContent = value.caption ? `As text: ${value.caption}` : `Value ${value.number} as text`;
  fillText(element("text"), value, changed);
  element("candidate").textContent = value.candidate ? `candidate ${value.candidate}` : "";
  // The neighbours are likely to be next.
  if (value.number < info.known) source.value(value.number + 1);
}

function showProblem(text) {
  element("drawings").replaceChildren();
  element("text").textContent = "";
  element("candidate").textContent = "";
  element("reads").replaceChildren();
  notice(text, true);
}

/** Asks again as long as the search has not come as far. */
async function patiently(ask, mine) {
  for (;;) {
    const answer = await ask();
    if (!answer.pending || mine !== turn) return answer;
    info = await source.info();
    notice(`Searching: ${info.known.toLocaleString("en")} values so far.`);
    showCount();
  }
}

async function showGrid(mine) {
  const grid = element("grid-view");
  grid.replaceChildren();
  shown = undefined;
  notice(state.filter ? `Filter: ${state.filter}` : "");
  let from = 1;
  const page = 24;
  const more = make("button", { type: "button", id: "more" }, "More");
  const load = async () => {
    more.remove();
    let left = page;
    let answer;
    do {
      answer = await source.find(from, 1, left, state.filter);
      if (mine !== turn) return;
      if (answer.error) return notice(answer.error, true);
      const values = await source.several(answer.found);
      if (mine !== turn) return;
      if (element("color").options.length < 2 && values.length > 0) offerColors(values[values.length - 1]);
      for (const value of values.filter(({ error, pending }) => !error && !pending)) {
        const open = () => { state.view = "value"; state.number = value.number; show().then(() => element("next").focus()); };
        grid.append(thumbnailOf(value, value.number === state.number, state.color, open));
      }
      left -= answer.found.length;
      from = answer.at;
    } while (left > 0 && !answer.end);
    if (!answer.end) grid.append(more);
    if (grid.childElementCount === 0) notice("No value fits the filter.", true);
  };
  more.addEventListener("click", load);
  await load();
}

async function showCandidate(mine) {
  const candidate = await source.candidate(state.step, state.summaries);
  if (mine !== turn) return;
  if (candidate.error) return showProblem(candidate.error);
  shown = candidate;
  element("text").textContent = "";
  element("candidate").textContent = "";
  if (candidate.title) return showSummaryStep(candidate);
  const verdict = candidate.valid ? "accepted" : "rejected";
  const why = candidate.conjunct ? ` by ${candidate.conjunct}` : "";
  const { figure, svg } = figureOf(candidate, `candidate ${candidate.number - (candidate.making ?? 0)}, ${verdict}${why}`);
  markReads(svg, candidate);
  element("drawings").replaceChildren(figure);
  const number = candidate.number - (candidate.making ?? 0);
  element("details-title").textContent = `Candidate ${number}`;
  const conjunct = candidate.conjunct ? make("span", {}, " by ", make("code", {}, candidate.conjunct)) : "";
  const line = make("p", {}, make("span", { class: `verdict ${candidate.valid ? "good" : "bad"}` }, verdict), conjunct);
  element("reads").replaceChildren(line, readsOf(candidate), make("p", {}, candidate.skipped));
  notice(`Candidate ${number} is ${verdict}.${candidate.making ? " The search follows the rules of the summaries." : ""}`);
}

/** Shows a step of making summaries: code that runs on one node, or a group that its answers split. */
function showSummaryStep({ number, making, title, asked, end, why, nodes, ...step }) {
  const caption = `step ${number} of ${making}: ${title}`;
  const { figure, svg } = figureOf({ nodes, ...step }, caption);
  for (const plate of svg.querySelectorAll(".plate")) {
    if (plate.dataset.name.startsWith("group#")) plate.classList.add("hued", "hue-0");
  }
  element("drawings").replaceChildren(...(nodes.length > 0 ? [figure] : []));
  element("details-title").textContent = title;
  const row = (cells) => make("tr", {}, ...cells.map((text) => make("td", {}, text)));
  const table = make("table", {}, make("tbody", {}, ...(asked ?? []).map(row)));
  element("reads").replaceChildren(table, make("p", { class: "verdict" }, end), make("p", {}, why));
  notice(`Step ${number} of making summaries: ${title}.`);
}

async function showCounts(mine) {
  notice("Counting.");
  const counts = await source.counts();
  if (mine !== turn) return;
  element("counts-view").replaceChildren();
  if (counts.error) return notice(counts.error, true);
  element("counts-view").replaceChildren(...(counts.plots ?? []).map(plotOf));
  notice(counts.whole ? "" : "Larger scopes take too long to count here: `cargo smallscope count` has the time.");
}

/** Goes to the next or previous value that fits the filter, or to one at an end. */
async function go(where) {
  if (state.view === "search") {
    const at = { first: 1, previous: state.step - 1, next: state.step + 1, last: shown?.known ?? 1 }[where];
    state.step = Math.max(1, shown?.all ? Math.min(at, shown.known) : at);
    return show();
  }
  info = info.all ? info : await source.info();
  const step = where === "next" || where === "first" ? 1 : -1;
  const from = { first: 1, previous: state.number - 1, next: state.number + 1, last: info.known }[where];
  const target = state.filter === "" ? from : await findOne(from, step);
  const isOver = info.all && target > info.known;
  if (target === undefined || target < 1 || isOver) {
    stop();
    return notice(state.filter ? "No further value fits the filter." : "There is no further value.");
  }
  state.number = target;
  return show();
}

async function findOne(from, step) {
  let at = from;
  for (;;) {
    const answer = await source.find(at, step, 1, state.filter);
    if (answer.error) {
      notice(answer.error, true);
      return undefined;
    }
    if (answer.found.length > 0) return answer.found[0];
    if (answer.end) return undefined;
    at = answer.at;
    notice(`Looking for a value that fits: at ${at.toLocaleString("en")}.`);
  }
}

function stop() {
  clearInterval(playing);
  playing = undefined;
  element("play").setAttribute("aria-pressed", "false");
  element("play").textContent = "Play";
}

function play() {
  if (playing !== undefined) return stop();
  playing = setInterval(() => go("next"), 700);
  element("play").setAttribute("aria-pressed", "true");
  element("play").textContent = "Stop";
}

function jump() {
  const wanted = Math.floor(Number(element("number").value.replaceAll(/[,.\s]/g, "")));
  if (!(wanted >= 1)) return notice("Numbers count from 1.", true);
  if (state.view === "search") state.step = wanted;
  else state.number = wanted;
  return show();
}

async function applyFilter() {
  state.filter = element("filter").value.trim();
  if (state.view === "grid") return show();
  if (state.filter === "") return show();
  const found = await findOne(1, 1);
  if (found === undefined) return element("notice").classList.contains("bad") ? undefined : notice("No value fits the filter.", true);
  state.number = found;
  return show();
}

function compare() {
  state.against = state.against > 0 ? 0 : state.number;
  if (state.against > 0) notice("Go to another value to compare it with this one.");
  return show();
}

function setView(view) {
  if (!has(view)) return notice("This can be looked at with `cargo smallscope view`, not in a file.");
  stop();
  state.view = view;
  return show();
}

function isDark() {
  return document.documentElement.dataset.theme === "dark";
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  element("theme").textContent = dark ? "Light" : "Dark";
}

const COPIES = {
  Text: (value) => value.text,
  Rust: (value) => value.rust,
  DOT: (value) => value.dot,
  SVG: (value, svg) => standaloneSvg(svg, data.style),
  PNG: undefined,
  Candidate: (value) => value.candidate,
};

async function copy(kind) {
  const svg = element("drawings").querySelector("figure:last-of-type svg");
  if (!shown || !svg) return;
  if (kind === "PNG") {
    save(await pngOf(svg, data.style), `value-${shown.number}.png`);
    return notice(`Saved as value-${shown.number}.png.`);
  }
  const copied = await copyText(COPIES[kind](shown, svg));
  notice(copied ? `Copied as ${kind}: ${captionOf(shown)}.` : "The browser does not allow copying.", !copied);
}

const KEYS = {
  ArrowRight: () => go("next"), ArrowLeft: () => go("previous"), Home: () => go("first"), End: () => go("last"),
  p: play, c: compare, v: () => setView("value"), g: () => setView("grid"), k: () => setView("classes"), s: () => setView("search"), n: () => setView("counts"),
  t: () => setTheme(!isDark()), "?": () => element("help").click(),
  "/": () => element("filter").focus(), "#": () => element("number").select(),
};

function onKey(event) {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (isTyping && event.key === "Escape") event.target.blur();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  // A drawing that scrolls needs the arrows itself.
  const scrolls = event.target instanceof HTMLElement && event.target.classList.contains("wide");
  if (scrolls && event.key.startsWith("Arrow")) return;
  const action = KEYS[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
}

/** What all kinds of pages have. */
function startAny() {
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
  element("theme").addEventListener("click", () => setTheme(!isDark()));
  element("help").addEventListener("click", () => {
    element("help-text").hidden = !element("help-text").hidden;
    element("help").setAttribute("aria-expanded", String(!element("help-text").hidden));
  });
}

async function startValues() {
  for (const where of ["first", "previous", "next", "last"]) element(where).addEventListener("click", () => { stop(); go(where); });
  for (const view of VIEWS) element(`tab-${view}`).addEventListener("click", () => setView(view));
  for (const view of VIEWS) element(`tab-${view}`).hidden = !has(view);
  element("play").addEventListener("click", play);
  element("compare").addEventListener("click", compare);
  element("number").addEventListener("change", jump);
  element("filter").addEventListener("change", applyFilter);
  element("filter").addEventListener("search", applyFilter);
  element("steps-of").addEventListener("change", () => { state.summaries = element("steps-of").value === "summaries"; state.step = 1; show(); });
  element("color").addEventListener("change", () => { state.color = element("color").value; show(); });
  for (const kind of Object.keys(COPIES)) {
    const needs = ["Rust", "DOT", "Candidate"].includes(kind) ? { "data-needs": kind.toLowerCase() } : {};
    element("copy").append(make("button", { type: "button", ...needs, onclick: () => copy(kind) }, kind === "PNG" ? "Save PNG" : `Copy ${kind}`));
  }
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", () => { readAddress(); show(); });
  readAddress();
  if (data.failure) showFailure(data.failure);
  info = await source.info();
  await show();
  follow();
}

/** Tells what failed. If the value after a call is known, it is shown beside the one before. */
function showFailure({ title, message, location: place, arguments: values, command, broken }) {
  const parts = [make("h2", {}, title), make("pre", {}, place ? `${message}\n  at ${place}` : message)];
  if (broken) parts.push(make("p", { id: "broken" }, broken));
  if (values) parts.push(make("pre", {}, values));
  if (command) parts.push(make("pre", {}, command));
  element("failure").replaceChildren(...parts);
  element("failure").hidden = false;
  // There is one value, so there is nowhere to go.
  element("controls").hidden = data.info.known === 1;
  for (const id of ["tab-value", "tab-grid"]) element(id).hidden = data.info.known === 1;
  if (data.info.known > 1 && location.hash === "") [state.number, state.against] = [data.info.known, data.info.known - 1];
}

/** Keeps the number of values up to date while the search goes on. */
async function follow() {
  while (!info.all) {
    info = await source.info();
    if (info.error) return notice(info.error, true);
    showCount();
    if (!info.all) await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

startAny();
if (data.info.kind === "states") await startStates(data);
else if (data.info.kind === "plots") startPlots(data.info);
else await startValues();
