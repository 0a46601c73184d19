// Gold as chips: where each passage stands now, or how far it was missed, `brief` where the caption says it, too.

function goldChip({ node, name, marked, by, missing, means, lost }, now, ended, brief) {
  const made = element("button", "gold-chip");
  made.type = "button";
  if (node != null) made.dataset.node = node;
  const where = node == null ? missing : now.gold[node] ?? missing;
  made.classList.toggle("lost", where.startsWith("lost") || node == null);
  const called = words("name", name);
  called.style.setProperty("--letters", name.length);
  made.append(element("span", "star", starOf(marked)), called, element("b", "", brief && where.startsWith("lost") ? lost || where : where));
  if (marked !== "given") made.append(words("hand", `by ${marked} ${by}`.trim()));
  made.title = [name, where, marked === "hand" ? `marked as gold by hand ${by}`.trim() : "", ended && where !== missing ? missing : "", ended ? means : ""].filter(Boolean).join("\n");
  return made;
}

// What is no gold any more stays in sight, with the way back: `mark`, where there is one.
function removedChip({ id, name, by, missing }, mark) {
  const made = element("button", "gold-chip removed");
  made.type = "button";
  made.append(element("span", "star", "✕"), words("name", name), words("hand", `${missing} ${by}`.trim()));
  if (mark) made.append(element("b", "", "Mark as gold"));
  made.title = [name, `${missing} ${by}`.trim()].join("\n");
  made.disabled = !mark;
  made.addEventListener("click", () => mark(id));
  return made;
}

// As many rows as they take at most in `frames`: what stands below them never moves.
function reserveChips(box, frames, chipsAt) {
  const shown = [...box.childNodes], places = new Map(frames.map((frame) => [Object.values(frame.gold).join("|"), frame]));
  box.style.minHeight = "";
  const tall = [...places.values()].map((frame) => { box.replaceChildren(...chipsAt(frame)); return box.offsetHeight; });
  if (tall.length) box.replaceChildren(...shown);
  box.style.minHeight = tall.length ? `${Math.max(...tall)}px` : "";
}
