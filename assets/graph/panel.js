// What is around the canvas: legend, tools, tooltip. Text goes in by textContent only.

const ICONS = {                             // paths on a 16 x 16 grid
  in: "M8 3v10M3 8h10", out: "M3 8h10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  png: "M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11",
  full: "M9.5 2.5h4v4M13.2 2.8 9 7M6.5 13.5h-4v-4M2.8 13.2 7 9",
};

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function tool(icon, name, action) {
  const button = element("button", "hop-tool");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg.namespaceURI, "path");
  path.setAttribute("d", ICONS[icon]);
  svg.append(path);
  button.append(svg);
  button.type = "button";
  button.title = name;
  button.setAttribute("aria-label", name);
  button.addEventListener("click", action);
  return button;
}

const PARTS = ["shape", "node", "edge"];    // a row of the legend each

// Entries are {of, name, label}: a kind's shape, a node's role or "gold", an edge's role. The counts
// are set at every paint.
function makeLegend(holder, theme, entries, onToggle) {
  const buttons = entries.map((entry) => {
    const button = element("button", "hop-entry");
    button.type = "button";
    button.append(
      swatch(theme, entry.of, entry.name),
      element("span", "hop-name", entry.label), element("span", "hop-count"),
    );
    button.setAttribute("aria-pressed", "false");
    button.dataset.entry = `${entry.of}:${entry.name}`;
    button.addEventListener("click", () => onToggle(button.dataset.entry));
    return button;
  });
  const rows = PARTS.map((of) => {
    const row = element("div", "hop-row");
    row.append(...buttons.filter((button) => button.dataset.entry.startsWith(of)));
    return row;
  });
  holder.replaceChildren(...rows);
  return (counts, filter) => buttons.forEach((button) => {
    const key = button.dataset.entry, count = counts.get(key) ?? 0;
    button.lastChild.textContent = String(count);
    button.classList.toggle("hop-none", count === 0);
    button.setAttribute("aria-pressed", String(filter.has(key)));
  });
}

function showTip(tip, parts, at, box) {
  tip.replaceChildren(...parts.filter(([, text]) => text)
    .map(([className, text]) => element("div", className, text)));
  tip.hidden = false;
  const { offsetWidth: w, offsetHeight: h } = tip;
  tip.style.left = `${Math.max(4, Math.min(at.x + 14, box.clientWidth - w - 4))}px`;
  tip.style.top = `${at.y + 18 + h > box.clientHeight ? Math.max(4, at.y - h - 12) : at.y + 18}px`;
}

// The canvas on the theme's background with the legend below it, as a PNG download.
function savePicture(source, theme, entries, name) {
  const scale = source.width / source.clientWidth || 1;
  const canvas = document.createElement("canvas");
  const ctx = canvas.getContext("2d");
  const font = ctx.font = `12px ${theme.font}`;
  const rows = PARTS.flatMap((of) => broken(ctx, entries.filter((entry) => entry.of === of), source.clientWidth));
  canvas.width = source.width;
  canvas.height = source.height + (rows.length * 26 + 10) * scale;
  ctx.fillStyle = theme.surface;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(source, 0, 0);
  ctx.scale(scale, scale);
  ctx.font = font;
  ctx.textBaseline = "middle";
  rows.forEach((row, i) => writeRow(ctx, theme, row, source.height / scale + 18 + i * 26));
  canvas.toBlob((blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${name}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

// The entries in rows no wider than the picture, each with its place in the row.
function broken(ctx, entries, width) {
  const rows = [];
  let x = 8;
  for (const entry of entries) {
    const room = 48 + ctx.measureText(entry.label).width;
    if (!rows.length || x + room > width) { rows.push([]); x = 8; }
    rows.at(-1).push({ ...entry, x });
    x += room;
  }
  return rows;
}

function writeRow(ctx, theme, entries, y) {
  for (const { of, name, label, x } of entries) {
    ctx.drawImage(swatch(theme, of, name), x, y - 10, 30, 20);
    ctx.fillStyle = theme.text;
    ctx.fillText(label, x + 33, y);
  }
}
