// Elements of the page: drawings, thumbnails, tables.

const element = (id) => document.getElementById(id);

/** Makes an element with attributes and children. */
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Parses a drawing. Identifiers get a suffix, because several drawings share a page. */
let drawingCount = 0;
function parseDrawing(text) {
  drawingCount += 1;
  const own = text.replaceAll('id="tip"', `id="tip${drawingCount}"`).replaceAll("url(#tip)", `url(#tip${drawingCount})`);
  const svg = new DOMParser().parseFromString(own, "image/svg+xml").documentElement;
  return document.importNode(svg, true);
}

/** How much larger drawings are than their coordinates say. */
const ENLARGED = 1.3;

/** A drawing with a caption. Large drawings scroll instead of getting too small to read. */
function figureOf(value, caption) {
  const svg = parseDrawing(value.svg);
  for (const side of ["width", "height"]) svg.setAttribute(side, String(ENLARGED * Number(svg.getAttribute(side))));
  const canvas = make("div", { class: "canvas", tabindex: "0", role: "region", "aria-label": `Drawing of ${caption}` }, svg);
  const figure = make("figure", {}, make("figcaption", {}, make("span", {}, caption)), canvas);
  requestAnimationFrame(() => {
    const [width, height] = ["width", "height"].map((side) => Number(svg.getAttribute(side)));
    const isSmall = width > 1.9 * canvas.clientWidth || height > 1.5 * innerHeight;
    if (canvas.clientWidth === 0 || !isSmall) return;
    canvas.classList.add("wide");
    figure.querySelector("figcaption").append(zoomOf(canvas, svg, [width, height]));
    // What is first in the drawing is in view.
    const first = svg.querySelector(".plate.current > rect, .plate > rect");
    const middle = Number(first?.getAttribute("x")) + Number(first?.getAttribute("width")) / 2;
    canvas.scrollLeft = ENLARGED * middle - canvas.clientWidth / 2;
  });
  return { figure, svg };
}

/** Buttons that make a large drawing smaller, larger, or as large as there is room. */
function zoomOf(canvas, svg, [width, height]) {
  let scale = 1;
  const set = (wanted) => {
    const [x, y] = [canvas.scrollLeft + canvas.clientWidth / 2, canvas.scrollTop + canvas.clientHeight / 2].map((middle) => middle / scale);
    scale = Math.min(2, Math.max(0.05, wanted));
    svg.setAttribute("width", String(scale * width));
    svg.setAttribute("height", String(scale * height));
    canvas.scrollTo(x * scale - canvas.clientWidth / 2, y * scale - canvas.clientHeight / 2);
  };
  const fit = () => set(Math.min(canvas.clientWidth / (width + 28), (0.7 * innerHeight) / (height + 28)));
  const button = (label, text, act) => make("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
  return make("span", { class: "zoom", role: "group", "aria-label": "Size of the drawing" },
    button("Smaller", "−", () => set(scale / 1.5)), button("Larger", "+", () => set(scale * 1.5)), button("The whole drawing", "Fit", fit));
}

const HUES = 8;

/** Returns the colour of a text: the same for the same text, in all values. */
function hueOf(text) {
  if (/^\d+$/.test(text)) return Number(text) % HUES;
  let hash = 7;
  for (const character of text) hash = (hash * 31 + character.codePointAt(0)) % 65521;
  return hash % HUES;
}

/** How many shades tell early reads from late ones. */
const SHADES = 6;

/** Colours objects by when the invariant read them first. */
function paintReads(svg, value) {
  const reads = (value.reads ?? []).map(({ object, by_invariant }) => (by_invariant ? (object ? drawnName(value, object) : "") : undefined));
  const firsts = new Map();
  reads.forEach((name, i) => { if (name !== undefined && !firsts.has(name)) firsts.set(name, i); });
  for (const plate of svg.querySelectorAll(".plate")) {
    const first = firsts.get(plate.classList.contains("root") ? "" : plate.dataset.name);
    if (first === undefined) {
      plate.classList.add("unread");
      continue;
    }
    plate.classList.remove("red", "black");
    plate.classList.add("hued", `shade-${Math.floor((SHADES * [...firsts.values()].indexOf(first)) / firsts.size)}`);
  }
}

/** Colours objects by what a field of theirs holds, by their type, or by the order of reads. */
function paint(svg, value, wanted) {
  const by = wanted || value.color || "";
  if (by === "") return;
  if (by === READS) return paintReads(svg, value);
  const byName = new Map(value.nodes.map((node) => [node.name, node]));
  for (const plate of svg.querySelectorAll(".plate:not(.root)")) {
    const node = byName.get(plate.dataset.name);
    const field = node?.fields.find(({ name }) => name === by);
    const text = by === TYPE ? plate.dataset.name.split("#")[0] : field?.texts.join(", ");
    if (text === undefined) continue;
    plate.classList.remove("red", "black");
    plate.classList.add("hued", `hue-${hueOf(text)}`);
  }
}

/** Stands for the type in the choice of colours. */
const TYPE = "(type)";
/** Stands for the order in which the invariant read objects. */
const READS = "(reads)";

/** Returns the fields of objects that hold plain values. */
function plainFields(value) {
  const objects = value.nodes.filter(({ name }) => name.includes("#"));
  const plain = objects.flatMap(({ fields }) => fields).filter(({ links }) => links.every((link) => link.length === 0));
  return [...new Set(plain.map(({ name }) => name))].filter(Boolean);
}

/** A small drawing that leads to its value. */
function thumbnailOf(value, isCurrent, color, open) {
  const svg = parseDrawing(value.svg);
  paint(svg, value, color);
  const picture = make("div", { class: "picture", "aria-hidden": "true" }, svg);
  const caption = make("span", { class: "caption" }, `${value.number}`);
  const label = `Value ${value.number}: ${value.text}`;
  return make("button", { type: "button", class: "thumb", "aria-label": label, "aria-current": String(isCurrent), onclick: open }, picture, caption);
}

/** The text of a value, with the lines of changed objects marked. */
function fillText(pre, value, changed) {
  pre.replaceChildren();
  const names = new Set(changed.map(({ name }) => name));
  for (const line of value.text.split("\n")) {
    const isChanged = names.has(line.split(": ")[0]);
    pre.append(make("span", { class: isChanged ? "line changed" : "line" }, line));
  }
}

/** The steps of a candidate: what the invariant read or asked, in order. */
function readsOf(candidate) {
  const rows = candidate.reads.map((read, i) => {
    const object = read.object ? ` of ${drawnName(candidate, read.object)}` : "";
    const how = read.by_invariant ? (read.asked ? "asked" : "read") : "not read";
    const isLast = read.by_invariant && !candidate.reads[i + 1]?.by_invariant;
    const kind = isLast ? "last" : read.by_invariant ? "" : "beyond";
    return make("tr", { class: kind }, make("td", {}, String(i + 1)), make("td", {}, `${read.field}${object}`), make("td", {}, read.text), make("td", {}, how));
  });
  const head = make("tr", {}, ...["", "field", "holds", "by the invariant"].map((text) => make("th", { scope: "col" }, text)));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
}

/** The name of an object in the drawing. */
function drawnName(candidate, object) {
  return candidate.nodes.find((node) => node.object === object)?.name ?? object;
}

/** Marks what the invariant has read, and what it read last. */
function markReads(svg, candidate) {
  const read = candidate.reads.filter(({ by_invariant }) => by_invariant);
  const nameOf = ({ object }) => (object ? drawnName(candidate, object) : "value");
  const names = new Set(read.map(nameOf));
  const last = read.length > 0 ? nameOf(read[read.length - 1]) : undefined;
  for (const plate of svg.querySelectorAll(".plate")) {
    if (!names.has(plate.dataset.name)) plate.classList.add("unread");
    if (plate.dataset.name === last && !candidate.valid) plate.classList.add("last-read");
  }
}
