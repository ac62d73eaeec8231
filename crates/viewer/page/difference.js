// What differs between two values. Objects correspond if the same fields lead to them from the root.

/** Returns the names of objects of one value with the names of those of another that they correspond to. */
function correspondence(one, other) {
  const find = (value, name) => value.nodes.find((node) => node.name === name);
  const pairs = new Map();
  const taken = new Set();
  const waiting = [];
  const pair = (a, b) => {
    if (!pairs.has(a) && !taken.has(b)) {
      pairs.set(a, b);
      taken.add(b);
      waiting.push([a, b]);
    }
  };
  for (const node of one.nodes.filter(({ name }) => !name.includes("#"))) {
    if (find(other, node.name)) pair(node.name, node.name);
  }
  while (waiting.length > 0) {
    const [a, b] = waiting.shift();
    const [left, right] = [find(one, a), find(other, b)];
    left.fields.forEach((field, i) => {
      const links = field.links.flat();
      const others = right.fields[i]?.name === field.name ? right.fields[i].links.flat() : [];
      links.slice(0, others.length).forEach((link, j) => pair(link, others[j]));
    });
  }
  return pairs;
}

/** Returns the fields of the first value that differ: `name` of the object and `field`; no field if the object is new. */
function differences(one, other) {
  const pairs = correspondence(one, other);
  const result = [];
  for (const node of one.nodes) {
    const partner = other.nodes.find(({ name }) => name === pairs.get(node.name));
    if (!partner) {
      result.push({ name: node.name });
      continue;
    }
    node.fields.forEach((field, i) => {
      const there = partner.fields[i];
      const same = there && there.name === field.name && there.texts.length === field.texts.length &&
        field.texts.every((text, j) => {
          const links = field.links[j];
          if (links.length === 0) return text === there.texts[j] && there.links[j].length === 0;
          return links.every((link, k) => pairs.get(link) === there.links[j][k]);
        });
      if (!same) result.push({ name: node.name, field: field.name });
    });
  }
  return result;
}

/** Marks differences in a drawing. */
function markDifferences(svg, found) {
  for (const { name, field } of found) {
    for (const plate of svg.querySelectorAll(".plate")) {
      if (plate.dataset.name !== name) continue;
      plate.classList.add("changed");
      if (field === undefined) continue;
      for (const text of plate.querySelectorAll("text")) {
        if (text.dataset.field === field) text.classList.add("changed");
      }
    }
    for (const link of svg.querySelectorAll(".link")) {
      if (link.dataset.from === name && (field === undefined || link.dataset.field === field)) link.classList.add("changed");
    }
  }
}
