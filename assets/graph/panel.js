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

// Entries are {kind, role, label}; `role` may be "gold". The counts are set at every paint.
function makeLegend(holder, theme, entries, onToggle) {
  const buttons = entries.map((entry) => {
    const button = element("button", "hop-entry");
    const gold = entry.role === "gold";
    button.type = "button";
    button.append(
      swatch(theme, entry.kind, gold ? "plain" : entry.role, gold),
      element("span", "hop-name", entry.label), element("span", "hop-count"),
    );
    button.setAttribute("aria-pressed", "false");
    button.dataset.entry = `${entry.kind}:${entry.role}`;
    button.addEventListener("click", () => onToggle(button.dataset.entry));
    return button;
  });
  const rows = ["node", "edge"].map((kind) => {
    const row = element("div", "hop-row");
    row.append(...buttons.filter((button) => button.dataset.entry.startsWith(kind)));
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
  const rows = ["node", "edge"].map((kind) => entries.filter((entry) => entry.kind === kind));
  const canvas = document.createElement("canvas");
  canvas.width = source.width;
  canvas.height = source.height + (rows.length * 26 + 10) * scale;
  const ctx = canvas.getContext("2d");
  ctx.fillStyle = theme.surface;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(source, 0, 0);
  ctx.scale(scale, scale);
  ctx.font = `12px ${theme.font}`;
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

function writeRow(ctx, theme, entries, y) {
  let x = 8;
  for (const { kind, role, label } of entries) {
    ctx.drawImage(swatch(theme, kind, role === "gold" ? "plain" : role, role === "gold"), x, y - 10, 30, 20);
    ctx.fillStyle = theme.text;
    ctx.fillText(label, x + 33, y);
    x += 48 + ctx.measureText(label).width;
  }
}
