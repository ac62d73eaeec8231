// Copies of a value in other forms.

/** Puts a text on the clipboard, also where the browser has no permission for that. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}

/** Returns a drawing as a file of its own, in the colours for white paper. */
function standaloneSvg(svg, style) {
  const copy = svg.cloneNode(true);
  const sheet = document.createElementNS("http://www.w3.org/2000/svg", "style");
  sheet.textContent = style;
  copy.prepend(sheet);
  return new XMLSerializer().serializeToString(copy);
}

/** Returns a drawing as a picture, twice as large so that it is sharp. */
async function pngOf(svg, style) {
  const image = new Image();
  const source = URL.createObjectURL(new Blob([standaloneSvg(svg, style)], { type: "image/svg+xml" }));
  image.src = source;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.naturalWidth;
  canvas.height = 2 * image.naturalHeight;
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(source);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Saves something as a file. */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
