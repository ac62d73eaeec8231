// The graph of states of call sequences: a state with the calls that lead to it, and what each call does there.

/** States that are part of the page. */
class EmbeddedStates {
  constructor(data) {
    this.states = data.values;
  }

  async state(number) {
    return this.states[number] ?? { error: `this file has the states 0 to ${this.states.length - 1}` };
  }

  async path(line) {
    return this.states.find((state) => state.line === line) ?? { error: "this file does not have that state" };
  }
}

/** States that the server is asked for. */
class RemoteStates {
  constructor(remote) {
    this.remote = remote;
    this.canExplore = true;
  }

  async state(number) {
    return this.remote.ask("state", { n: number });
  }

  async path(line) {
    return this.remote.ask("path", { calls: line });
  }

  async explore() {
    return this.remote.ask("explore", {});
  }
}

let states;
let current;
let isExploring = false;

const stateName = (number) => `State#${number}`;

/** The values of a state, as lines. */
function linesOf(values) {
  return values.length === 0 ? "no values" : values.map(([name, text]) => `${name} = ${text}`).join("\n");
}

/** The values before and after a call that fails, with what differs marked. */
function beforeAndAfter({ call, fault, after }) {
  const before = new Map(valuesOf(current.state));
  const names = [...new Set([...before.keys(), ...after.map(([name]) => name)])];
  const behind = new Map(after);
  const rows = names.map((name) => {
    const [left, right] = [before.get(name) ?? "", behind.get(name) ?? ""];
    return make("tr", { class: left === right ? "" : "last" }, ...[name, left, right].map((text) => make("td", {}, text)));
  });
  const head = make("tr", {}, ...["", "before", "after"].map((text) => make("th", { scope: "col" }, text)));
  return [make("p", {}, make("code", {}, call), ` fails: ${fault}`), make("table", { id: "before-and-after" }, make("thead", {}, head), make("tbody", {}, ...rows))];
}

function valuesOf(number) {
  return current.states.find(({ state }) => state === number)?.values ?? [];
}

/** What each call does in the current state. */
function callsOf() {
  const rows = current.calls.map((made) => {
    const isSame = made.to === current.state;
    const open = () => (made.fault ? showFault(made) : goToState(() => states.state(made.to)));
    const where = made.fault ? "fails" : isSame ? "the same state" : `state ${made.to.toLocaleString("en")}`;
    const values = made.fault ? made.fault : isSame ? "" : linesOf(valuesOf(made.to));
    const button = make("button", { type: "button", class: made.fault ? "fails" : "", onclick: open }, where);
    if (isSame) button.disabled = true;
    return make("tr", { class: made.fault ? "last" : isSame || made.is_seen ? "beyond" : "" }, make("td", {}, make("code", {}, made.call)), make("td", {}, button), make("td", {}, values));
  });
  const head = make("tr", {}, ...["call", "leads to", "values there"].map((text) => make("th", { scope: "col" }, text)));
  const more = current.omitted > 0 ? [make("p", {}, `${current.omitted} more calls are not shown.`)] : [];
  return [make("table", { id: "calls" }, make("thead", {}, head), make("tbody", {}, ...rows)), ...more];
}

function showFault(made) {
  element("reads").replaceChildren(...beforeAndAfter(made), make("button", { type: "button", onclick: showState }, "All calls"));
  notice(`${made.call} fails here: ${made.fault}`, true);
  element("reads").querySelector("button").focus();
}

/** The calls that lead to the current state; each leads to the state that it was made in. */
function pathOf() {
  const items = current.path.map((call, i) => {
    const open = () => goToState(() => states.state(current.on_path[i]));
    return make("li", {}, make("button", { type: "button", "aria-label": `State ${current.on_path[i]}`, onclick: open }, String(current.on_path[i])), " ", make("code", {}, call));
  });
  items.push(make("li", {}, make("strong", {}, String(current.state))));
  return make("ol", { id: "path", "aria-label": "The calls that lead here" }, ...items);
}

function showState() {
  const { figure, svg } = figureOf(current, `state ${current.state}, after ${current.path.length} call${current.path.length === 1 ? "" : "s"}`);
  for (const plate of svg.querySelectorAll(".plate")) {
    const number = Number(plate.dataset.name.split("#")[1]);
    if (number === current.state) plate.classList.add("current");
    else plate.addEventListener("click", () => goToState(() => states.state(number)));
  }
  element("drawings").replaceChildren(figure);
  element("details-title").textContent = `State ${current.state}`;
  element("text").textContent = linesOf(valuesOf(current.state));
  element("reads").replaceChildren(pathOf(), ...callsOf());
  element("number").value = String(current.state);
  showKnown(current);
  const failing = current.calls.filter(({ fault }) => fault).length;
  notice(failing > 0 ? `${failing} call${failing === 1 ? "" : "s"} fail${failing === 1 ? "s" : ""} in this state.` : "", failing > 0);
}

function showKnown({ known, explored, all }) {
  element("total").textContent = `of ${known.toLocaleString("en")}${all ? "" : " known"}`;
  element("subtitle").textContent = all ? `all ${known.toLocaleString("en")} states that calls lead to` : `${known.toLocaleString("en")} states known, calls were made in ${explored.toLocaleString("en")} of them and where you looked`;
  element("previous").disabled = current?.path.length === 0;
  element("first").disabled = current?.path.length === 0;
  element("play").hidden = all || !states.canExplore;
}

async function goToState(ask) {
  const answer = await ask();
  if (answer.error) return notice(answer.error, true);
  current = answer;
  const address = new URLSearchParams(current.line ? { path: current.line } : {});
  history.replaceState(null, "", `#${address}`);
  showState();
}

const goToFirst = () => goToState(() => states.state(0));
const goBack = () => (current.path.length > 0 ? goToState(() => states.state(current.on_path[current.on_path.length - 2])) : undefined);
/** To the first state from here that is new, or else to the first other one. */
function goOn() {
  const others = current.calls.filter(({ to }) => to !== undefined && to !== current.state);
  const next = others.find(({ is_seen }) => !is_seen) ?? others[0];
  return next ? goToState(() => states.state(next.to)) : notice("No call leads to another state.");
}

/** Makes calls in more and more states, until it is stopped or no state is left. */
async function explore() {
  isExploring = !isExploring;
  element("play").setAttribute("aria-pressed", String(isExploring));
  while (isExploring) {
    const answer = await states.explore();
    if (answer.error) { isExploring = false; notice(answer.error, true); break; }
    showKnown(answer);
    if (answer.all) isExploring = false;
  }
  element("play").setAttribute("aria-pressed", "false");
}

const STATE_KEYS = { ArrowLeft: goBack, ArrowRight: goOn, Home: goToFirst, t: () => setTheme(!isDark()), "#": () => element("number").select() };

/** Begins the page of a graph of states. */
async function startStates(data) {
  states = data.values ? new EmbeddedStates(data) : new RemoteStates(source);
  for (const tab of document.querySelectorAll(".tabs button")) tab.hidden = true;
  for (const id of ["last", "filter-label", "color-label", "compare", "rules", "help"]) element(id).hidden = true;
  element("play").textContent = "Explore";
  element("play").title = "Make calls in more states";
  element("play").addEventListener("click", () => (states.canExplore ? explore() : undefined));
  element("first").addEventListener("click", goToFirst);
  element("previous").addEventListener("click", goBack);
  element("next").addEventListener("click", goOn);
  element("number").addEventListener("change", () => goToState(() => states.state(Math.floor(Number(element("number").value)) || 0)));
  const copies = { "Copy calls": () => current.line, "Copy Rust": () => current.rust };
  for (const [label, text] of Object.entries(copies)) {
    const copy = async () => notice((await copyText(text())) ? "Copied." : "The browser does not allow copying.");
    element("copy").append(make("button", { type: "button", onclick: copy }, label));
  }
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !STATE_KEYS[event.key]) return;
    if (event.target instanceof HTMLElement && event.target.classList.contains("wide")) return;
    event.preventDefault();
    STATE_KEYS[event.key]();
  });
  const open = () => {
    const line = new URLSearchParams(location.hash.slice(1)).get("path");
    return goToState(() => (line ? states.path(line) : states.state(0)));
  };
  addEventListener("hashchange", open);
  await open();
  if (current) return;
  const problem = element("notice").textContent;
  await goToFirst();
  notice(problem, true);
}
