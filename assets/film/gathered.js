// On a stage: what of a list is read where there is room for so many lines. Its first rows, and gold
// with the line above it, wherever it stands; what lies between is dots, or with less room a dotted line. With
// less still gold that is kept is dots, too, but not rank 1, the line, and the last gold.

const DOTTED = { none: 0, below: 1, all: 2 };

function gather(list, lines) {
  for (const gap of list.querySelectorAll(".gap")) gap.remove();
  const items = [...list.children], gold = items.map((item) => item.matches(".row.gold")), lost = gold.lastIndexOf(true);
  const line = items.findIndex((item) => item.matches(".cut")), must = items.map((_, i) => gold[i] || (i === line && i < lost));
  let [first, dotted] = [items.length, DOTTED.all];
  const fits = () => linesOf(must, first, items, dotted) <= lines;
  const most = () => { for (first = items.length; first > 1 && !fits();) first -= 1; return fits(); };
  const tried = (how) => { dotted = how; return most(); };
  if (lost >= lines && ![DOTTED.all, DOTTED.below, DOTTED.none].some(tried)) {
    dotted = lines > 3 ? DOTTED.all : DOTTED.below;
    for (const i of givenUp(line < lost ? line : -1, lost)) if (!fits()) must[i] = false;
  }
  items.forEach((item, i) => { item.hidden = i >= first && !must[i]; });
  const dots = gapsOf(must, first, items, dotted), told = (i) => dots.some((gap) => items.slice(gap, i).every(({ hidden }) => hidden) && gap < i);
  items.forEach((item, i) => item.classList.toggle("skips", !item.hidden && Boolean(items[i - 1]?.hidden) && !told(i)));
  for (const i of dots) items[i].before(element("li", "none gap", "…"));
}

// Which rows are left out first: those above the line from it upwards, then those below it but for the last.
function givenUp(line, lost) {
  const between = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return line < 0 ? between(1, lost).reverse() : [...between(1, line).reverse(), ...between(line + 1, lost)];
}

// Where something is left out between the `first` rows and gold: the first of each that is, or of those below the line, or none.
function gapsOf(must, first, items, dotted) {
  const line = (i) => items[i]?.matches(".cut"), left = (i) => i >= first && !must[i];
  const ends = (i) => { const next = must.indexOf(true, i); return next >= 0 && dotted && (dotted === DOTTED.all || !line(next)); };
  return must.flatMap((_, i) => (left(i) && !left(i - 1) && !line(i - 1) && ends(i) ? [i] : []));
}

const linesOf = (must, first, items, dotted) => first + must.slice(first).filter(Boolean).length + gapsOf(must, first, items, dotted).length;
