// Plots of reports: numbers, coverage and mutants by scope, kill matrices, failure densities.

/** A plot with the same numbers as a table, from its HTML. */
function plotOf(html) {
  return document.importNode(new DOMParser().parseFromString(html, "text/html").body.firstElementChild, true);
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
