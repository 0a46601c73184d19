// On a stage, in the end: what of a list is read where there is room for so many lines. Its first rows, and gold
// with the line above it, wherever it stands; what lies between is dots.

function gather(list, lines) {
  for (const gap of list.querySelectorAll(".gap")) gap.remove();
  const items = [...list.children], gold = items.map((item) => item.matches(".row.gold")), lost = gold.lastIndexOf(true);
  const must = items.map((item, i) => gold[i] || (item.matches(".cut") && i < lost));
  let first = items.length;
  if (lost >= lines) while (first > 0 && linesOf(must, first, items) > lines) first -= 1;
  items.forEach((item, i) => { item.hidden = i >= first && !must[i]; });
  for (const i of gapsOf(must, first, items)) items[i].before(element("li", "none gap", "…"));
}

// Where something is left out between the `first` rows and gold: the first of each that is. The line says so, too.
function gapsOf(must, first, items) {
  const line = (i) => items[i]?.matches(".cut"), left = (i) => i >= first && !must[i];
  const ends = (i) => { const next = must.indexOf(true, i); return next >= 0 && !line(next); };
  return must.flatMap((_, i) => (left(i) && !left(i - 1) && !line(i - 1) && ends(i) ? [i] : []));
}

const linesOf = (must, first, items) => first + must.slice(first).filter(Boolean).length + gapsOf(must, first, items).length;
