// The classes of the values, each with a witness.

const CRITERIA = ["class", "decision", "condition", "mcdc", "cdc", "simple-path", "path"];

/** One class: a small drawing of its first value, its size, and what its values have in common. */
function cardOf({ text, size, witness }, number, value, open) {
  const picture = value ? thumbnailOf(value, false, state.color, open) : "";
  const words = `class ${number}: ${size.toLocaleString("en")} value${size === 1 ? "" : "s"}, the first is ${witness.toLocaleString("en")}`;
  const common = make("pre", { tabindex: "0" }, text);
  return make("article", { class: "class-card" }, picture, make("div", {}, make("h2", {}, words), common));
}

/** Offers what can put values into classes. */
function choiceOfCriterion(chosen, choose) {
  const select = make("select", { id: "criterion" }, ...CRITERIA.map((name) => make("option", { value: name }, name)));
  select.value = chosen;
  select.addEventListener("change", () => choose(select.value));
  return make("label", { class: "choice" }, make("span", {}, "Classes by"), select);
}

/** Shows the classes, while the values are still being put into them. */
async function showClasses(mine) {
  const view = element("classes-view");
  view.replaceChildren();
  shown = undefined;
  const cards = new Map();
  for (;;) {
    const answer = await source.classes(state.by);
    if (mine !== turn) return;
    const choose = (by) => { state.by = by; show(); };
    if (!element("criterion") && source.hasSearch) view.prepend(choiceOfCriterion(answer.by ?? (state.by || "cdc"), choose));
    if (answer.error) return notice(answer.error, true);
    for (const [i, row] of answer.classes.entries()) {
      const old = cards.get(i);
      if (old?.size === row.size) continue;
      const open = () => { state.view = "value"; state.number = row.witness; show().then(() => element("next").focus()); };
      const value = i < 60 ? await source.value(row.witness) : undefined;
      if (mine !== turn) return;
      const card = cardOf(row, i + 1, value?.svg ? value : undefined, open);
      if (old) old.card.replaceWith(card);
      else view.append(card);
      cards.set(i, { card, size: row.size });
    }
    const counted = `${answer.count.toLocaleString("en")} class${answer.count === 1 ? "" : "es"} of ${answer.seen.toLocaleString("en")} values`;
    const shownOf = answer.count > answer.classes.length ? `; the first ${answer.classes.length} are shown` : "";
    notice(answer.end ? `${counted}, by ${answer.by}${shownOf}.` : `${counted} so far, by ${answer.by}${shownOf}.`);
    if (answer.end) return;
  }
}
