// Plots of reports: numbers, coverage and mutants by scope, kill matrices, failure densities.

/** A plot with the same numbers as a table. */
function plotOf({ title, svg, head, rows }) {
  const drawing = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", title);
  const cells = (tag, texts) => texts.map((text) => make(tag, tag === "th" ? { scope: "col" } : {}, text));
  const body = rows.map((row) => make("tr", {}, ...cells("td", row)));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...cells("th", head))), make("tbody", {}, ...body));
  const numbers = make("details", {}, make("summary", {}, "As a table"), make("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": `${title}, as a table` }, table));
  return make("figure", {}, make("figcaption", {}, title), make("div", { class: "plot", tabindex: "0", role: "region", "aria-label": title }, drawing), numbers);
}

/** Begins the page of a report. */
function startPlots(about) {
  for (const id of ["controls", "value-view"]) element(id).hidden = true;
  for (const tab of document.querySelectorAll(".tabs button")) tab.hidden = true;
  element("help").hidden = true;
  element("subtitle").textContent = about.subtitle ?? "";
  element("counts-view").hidden = false;
  element("counts-view").replaceChildren(...about.plots.map(plotOf));
  document.addEventListener("keydown", (event) => { if (event.key === "t" && !event.ctrlKey && !event.metaKey) setTheme(!isDark()); });
}
