// The drawing as a file: what is seen, as it is seen, with its legend below, in SVG drawn to PNG.

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "font-style", "paint-order", "text-anchor"];

// A copy that looks the same without any style sheet; null for what is not seen.
function plain(of) {
  const style = getComputedStyle(of);
  if (style.display === "none" || style.visibility === "hidden") return null;
  const made = of.cloneNode(false);
  made.removeAttribute("class");
  if (of.children.length || of.tagName !== "g") for (const name of KEPT) made.style.setProperty(name, style.getPropertyValue(name));
  if (["text", "tspan"].includes(of.tagName) && !of.children.length) keepWidth(made, of.getComputedTextLength());
  for (const child of of.childNodes) {
    const copy = child.nodeType === Node.TEXT_NODE ? child.cloneNode() : plain(child);
    if (copy) made.append(copy);
  }
  return made;
}

// A picture may be drawn in another font than the page has: words take the room that they have there.
function keepWidth(text, width) {
  if (!width) return;
  text.setAttribute("textLength", num(width));
  text.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

// The legend's entries in rows no wider than the picture.
function legendRows(legend, width, px) {
  const rows = drawn("g", {}), font = getComputedStyle(legend).fontFamily, colour = getComputedStyle(legend).color;
  let x = 8, y = 14;
  for (const entry of legend.querySelectorAll(".entry:not(.nothing)")) {
    const label = `${entry.querySelector(".name").textContent} · ${entry.querySelector(".count").textContent}`;
    const room = 46 + measure(label, `${px}px ${font}`);
    if (x + room > width && x > 8) { x = 8; y += 24; }
    const sign = drawn("g", { transform: `translate(${x + 15} ${y})` });
    for (const child of entry.querySelector("svg").children) sign.append(plain(child));
    const text = drawn("text", { x: x + 34, y: y + 4, fill: colour, "font-size": px, "font-family": font });
    text.textContent = label;
    keepWidth(text, measure(label, `${px}px ${font}`));
    rows.append(sign, text);
    x += room;
  }
  return { rows, height: y + 16 };
}

function pictured(drawing, legend, title) {
  const { width, height } = drawing, paper = getComputedStyle(drawing.holder).getPropertyValue("--paper").trim() || "#fff";
  const { rows, height: below } = legendRows(legend, width, 12);
  rows.setAttribute("transform", `translate(0 ${height})`);
  const made = drawn("svg", { xmlns: SVG, width, height: height + below, viewBox: `0 0 ${width} ${height + below}` });
  const name = drawn("title");
  name.textContent = title;
  const cut = drawn("svg", { width, height, overflow: "hidden" }, ...[...drawing.svg.children].map(plain).filter(Boolean));
  made.append(name, drawn("rect", { width, height: height + below, fill: paper }), cut, rows);
  return new XMLSerializer().serializeToString(made);
}

async function savePicture(drawing, legend, title) {
  const source = pictured(drawing, legend, title), image = new Image();
  const sheet = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  image.src = sheet;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.width;
  canvas.height = 2 * image.height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(sheet);
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${title}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
