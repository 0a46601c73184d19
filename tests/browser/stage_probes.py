"""Scripts that ask a page what is wrong on its stage; each is evaluated in the page of a film."""

NAMELESS = """() => [...globalThis.__hopFilm.drawing.nodes.values()]
  .filter(({role, label, text}) => role && (label.classList.contains("off") || !text.textContent))
  .map(({data}) => data.label)"""
"""Labels of the nodes that are drawn without their names."""

LOOKED_AT = """() => {
  const {drawing, now} = globalThis.__hopFilm;
  const looked = Object.keys(now.nodes).filter((i) => now.nodes[i] === "current");
  return looked.map((i) => drawing.nodes.get(+i)?.role ? "drawn" : `${i} is away`);
}"""
"""Of each node that is looked at now, whether it is drawn."""

TOUCHED = """() => {
  const {drawing} = globalThis.__hopFilm, found = [];
  const box = (of) => of.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom;
  const seen = [...drawing.nodes.values()].filter(({role}) => role);
  for (const {i, label, text, data} of seen.filter(({label}) => !label.classList.contains("off"))) {
    for (const other of seen) {
      if (other.i === i) continue;
      const named = !other.label.classList.contains("off") && meet(box(text), box(other.text));
      const over = named || meet(box(text), box(other.body));
      if (over) found.push(`${data.label} on ${other.data.label}`);
    }
  }
  return found;
}"""
"""Names that touch another name or another node."""

LISTED_AWAY = """() => {
  const {drawing, now, film} = globalThis.__hopFilm;
  const top = (now.board?.rows ?? []).filter(({node}) => node !== undefined).slice(0, 6);
  const drawn = new Set([...drawing.nodes.values()].filter(({role}) => role).map(({i}) => i));
  const away = top.filter(({node, sign}) => sign !== "n" && !drawn.has(node));
  return away.map(({node}) => film.nodes[node].label);
}"""
"""Names of what the list of a step begins with and is not drawn."""

BADGES = """() => {
  const nodes = [...globalThis.__hopFilm.drawing.nodes.values()].filter(({role}) => role);
  const box = (of) => of.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom;
  const named = nodes.filter(({label}) => !label.classList.contains("off"));
  const badges = nodes.filter(({count}) => count > 1).map(({badge}) => badge);
  return {
    sizes: badges.map((of) => box(of.lastChild).height / 1.3),
    over: badges.flatMap((of) => named.filter(({text}) => meet(box(of.firstChild), box(text))))
      .map(({data}) => data.label),
  };
}"""
"""How large the letters of counts are, in pixels, and the names that counts cover."""

COUNTS = """() => {
  const {drawing} = globalThis.__hopFilm, box = (of) => of.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const groups = drawing.groups.filter(({g}) => !g.classList.contains("off"));
  const nodes = [...drawing.nodes.values()].filter(({role}) => role);
  return groups.flatMap(({g}) => nodes
    .filter(({body}) => meet(box(g.firstChild), box(body))).map(({data}) => data.label));
}"""
"""Nodes that a count of what is not drawn covers."""

NAMED_AWAY = """() => {
  const {drawing, now, film} = globalThis.__hopFilm, told = (i) => `'${film.nodes[i].label}'`;
  const drawn = [...drawing.nodes.values()].filter(({role}) => role).map(({i}) => told(i));
  const named = Object.keys(now.nodes).filter((i) => now.caption.includes(told(i)));
  const looked = Object.keys(now.nodes).filter((i) => now.nodes[i] === "current");
  return [...new Set([...named, ...looked].map(told))].filter((name) => !drawn.includes(name));
}"""
"""Names of what is looked at or named in the sentence, and not drawn."""

RINGED = """() => {
  const nodes = [...globalThis.__hopFilm.drawing.nodes.values()].filter(({role}) => role);
  const box = (of) => of.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const touched = ({i, halo}) => nodes.filter((other) => other.i !== i
    && [other.text, other.body].some((of) => meet(box(halo), box(of))));
  return nodes.filter(({role}) => role === "current").flatMap((node) => touched(node)
    .map((other) => `the ring of ${node.data.label} on ${other.data.label}`));
}"""
"""Names and nodes that the ring around what is looked at touches."""

CUT_NAMES = """() => {
  const found = [], read = (text) => [...text.children].map((line) => line.textContent).join("");
  const plain = (text) => text.replace(/[\\u2066-\\u2069\\s]/g, "");
  for (const {role, data, label, text} of globalThis.__hopFilm.drawing.nodes.values()) {
    if (!role || label.classList.contains("off")) continue;
    const {gold, kind} = data, lines = text.children.length;
    if (gold && plain(read(text)) !== plain(data.label)) found.push(`gold ${data.label} is cut`);
    if (kind === "passage" && !gold && lines > 2) found.push(`${data.label} on ${lines} lines`);
  }
  return found;
}"""
"""Names of gold that are cut in the drawing, and other names of passages on three lines."""

CUT_WORDS = """() => {
  const {root} = globalThis.__hopFilm, all = (what) => [...root.querySelectorAll(what)];
  const clipped = (of) => of.scrollWidth > of.clientWidth + 1
    || of.scrollHeight > of.clientHeight + 2;
  const box = (of) => of.getBoundingClientRect();
  const below = (of) => {
    const list = of.closest(".rows") ?? of.closest(".middle");
    return list && box(of).bottom > Math.min(box(list).bottom, innerHeight) + 2;
  };
  const told = all(".caption, .gold-chip .name, .gold-chip b");
  const end = all(".ended :is(.answer, .step .row, .step .name, .step .text)");
  const ranks = all(".ended .ranking .row.gold:not([hidden]), .ended .ranking .gold .title");
  return [...told, ...end, ...ranks]
    .filter((of) => of.checkVisibility({visibilityProperty: true}) && (clipped(of) || below(of)))
    .map((of) => `${of.className}: ${of.textContent.slice(0, 40)}`);
}"""
"""What is cut of the sentence, of chips, and in the end of reasons of a loss and ranks of gold."""

BEYOND = """() => {
  const film = globalThis.__hopFilm, rim = film.drawing.holder.getBoundingClientRect();
  const out = ({left, right, top, bottom, width}) => width && (left < rim.left - 1
    || right > rim.right + 1 || top < rim.top - 1 || bottom > rim.bottom + 1);
  const parts = [".ranking", ".caption", ".golds", ".side", ".legend", ".track", ".drawing"];
  const away = ({top, left, bottom, right}) => top < 0 || left < 0 || bottom > innerHeight
    || right > innerWidth;
  const gone = parts.filter((part) => away(film.root.querySelector(part).getBoundingClientRect()));
  const nodes = [...film.drawing.nodes.values()].filter(({role}) => role);
  return [...gone, ...nodes.flatMap(({data, body, text}) => [body, text]
    .filter((of) => out(of.getBoundingClientRect())).map(() => data.label))];
}"""
"""Parts beyond the window, and nodes and names beyond the rim of the drawing."""

STANDING = """() => {
  const {drawing, root} = globalThis.__hopFilm;
  const {left, top, width, height} = drawing.holder.getBoundingClientRect();
  const places = [...drawing.nodes.values()].map(({i, x, y}) => [i, x, y].map(Math.round).join());
  return {
    drawing: [left, top, width, height].map(Math.round).join(), nodes: places.join(" "),
    sentence: root.querySelector(".story").offsetHeight, names: drawing.px,
  };
}"""
"""What is the same at all stops: where the drawing and its nodes stand, how large names are, and
how much room a sentence has."""

PACES = """() => {
  const film = globalThis.__hopFilm, {moments} = film.film.timeline;
  const gold = new Set(moments.filter(({kind}) => kind !== "offered").map(({t}) => t));
  return film.stops.map(({t}) => {
    film.t = t;
    return {pause: film.pause, letters: film.now.caption.length, gold: gold.has(t)};
  });
}"""
"""Of each stop how long it stands, in milliseconds, its letters, and whether gold is at stake."""

UNSEEN_ROWS = """() => {
  const step = globalThis.__hopFilm.root.querySelector(".side .step");
  if (!step || step.hidden) return [0, 0, ""];
  const list = step.querySelector(".rows"), end = list.getBoundingClientRect().bottom;
  const away = (of) => of.getBoundingClientRect().bottom > end + 1 && of.offsetHeight > 0;
  const taken = list.querySelector(".taken") ? ".row.taken" : ".row:not(.prose)";
  const rows = [...list.querySelectorAll(taken)];
  const seen = rows.filter((row) => row.offsetHeight && !away(row));
  return [rows.length - seen.length, seen.length, step.querySelector(".below").textContent];
}"""
"""How many rows of a step have no room, how many are seen, and what its heading says of them; of
one that takes something, of what it takes.
"""

WHOLE_ROWS = """() => {
  const list = globalThis.__hopFilm.root.querySelector(".ranking .rows");
  const box = (of) => of.getBoundingClientRect();
  const {top, bottom} = box(list);
  const whole = (row) => box(row).top >= top - 1 && box(row).bottom <= bottom + 1;
  return [...list.querySelectorAll(".row")].filter((row) => row.offsetHeight && whole(row)).length;
}"""
"""How many rows of the ranking are seen whole."""

# The first words of each line of the ranking where it has room for so many.
LEAST = """() => [3, 4, 5].map((lines) => {
  const { ranking } = globalThis.__hopFilm.sidebar.boards;
  ranking.lines = lines;
  ranking.gather();
  const seen = [...ranking.list.children].filter((row) => !row.hidden);
  return seen.map((row) => (row.querySelector(".rank") ?? row).textContent);
})"""

LETTERS = """() => [...globalThis.__hopFilm.root.querySelectorAll('*')]
  .filter((of) => [...of.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .filter((of) => of.checkVisibility() && !of.closest('.badge'))
  .map((of) => parseFloat(getComputedStyle(of).fontSize))"""
"""The heights of all letters that are seen."""

OUT_OF_NOWHERE = """() => {
  const { drawing, now, film } = globalThis.__hopFilm, { nodes, lines, groups } = drawing;
  const there = (i) => nodes.has(i) && !nodes.get(i).g.classList.contains("off");
  const drawn = [...lines.values()].filter(({ role }) => role).map(({ data }) => data);
  const met = new Set(drawn.map(({ source, target, back }) => back ? source : target));
  const led = Object.entries(now.lines).flatMap(([number, role]) => {
    if (!["chosen", "walked"].includes(role)) return [];
    const { source, target, back } = film.lines[number];
    const [from, to] = back ? [target, source] : [source, target];
    const counted = groups.some(({ data }) => data.nodes.includes(from));
    return there(to) && !there(from) && !met.has(to) && counted ? [to] : [];
  });
  const wanted = new Set(led).size;
  const origins = drawing.layers.lines.querySelectorAll(".origin").length;
  return wanted === origins ? [] : [wanted, origins];
}"""
"""How many were reached from what is only counted, and how many are joined to that, if not all."""
ORIGINS = """() => {
  const { drawing } = globalThis.__hopFilm, near = (a, b) => Math.abs(a - b) < 3;
  const seen = ({ g }) => !g.classList.contains("off"), box = (g) => g.getBoundingClientRect();
  const bodies = [...drawing.nodes.values()].filter(seen).map(({ body }) => box(body));
  return [...drawing.layers.lines.querySelectorAll(".origin .stroke")].map((path) => {
    const at = (far) => path.getPointAtLength(far).matrixTransform(path.getScreenCTM());
    const dots = [...path.parentNode.querySelectorAll(".dot")].map(box);
    const from = at(0), to = at(path.getTotalLength());
    const begins = dots.length && dots.every(({ top, left, right }) =>
      top > from.y && near(from.x, (left + right) / 2));
    const ends = bodies.some(({ left, top, bottom }) => near(to.y, (top + bottom) / 2)
      && to.x < left && left - to.x < 20);
    return [begins, ends];
  });
}"""
"""Of each arrow from what is counted whether dots stand before it, and a node behind it."""

ADRIFT = """() => {
  const {drawing, film} = globalThis.__hopFilm, seen = [...drawing.nodes.values()];
  const joined = new Set([...drawing.lines.values()].filter(({role}) => role)
    .flatMap(({data}) => [data.source, data.target]));
  return seen.filter(({i, role, data}) => role === "refused" && !data.gold && !joined.has(i))
    .map(({i}) => film.nodes[i].label);
}"""
"""Names of what is drawn although it was only on offer and no line leads to it."""

COVERED_LINES = """() => {
  const {drawing} = globalThis.__hopFilm, box = (of) => of.getBoundingClientRect();
  const nodes = [...drawing.nodes.values()].filter(({role}) => role);
  const first = nodes.filter(({x}) => x < Math.min(...nodes.map((one) => one.x)) + 5);
  const groups = drawing.groups.filter(({g}) => !g.classList.contains("off"));
  const within = first.filter(({count}) => count > 1).map(({badge}) => badge.firstChild);
  const covers = [...within, ...groups.map(({g}) => g.firstChild)].map(box);
  const lines = [...drawing.lines.values()].filter(({role}) => role).map(({stroke}) => stroke);
  const origins = [...drawing.layers.lines.querySelectorAll(".origin .stroke")];
  return [...lines, ...origins].flatMap((path) => {
    const far = path.getTotalLength();
    const points = Array.from({length: Math.max(0, Math.floor(far / 3) - 1)},
      (_, i) => path.getPointAtLength(3 * i + 3).matrixTransform(path.getScreenCTM()));
    return covers.filter((one) => points.some(({x, y}) => x > one.left + 3 && x < one.right - 3
      && y > one.top + 3 && y < one.bottom - 3)).map(() => path.getAttribute("d"));
  });
}"""
"""Ways of lines that run behind a count of what is not drawn, or of visits in the first column."""

FREE = """() => {
  const found = [], box = (of) => of.getBoundingClientRect();
  for (const node of __hopFilm.drawing.nodes.values()) {
    const named = node.role && !node.label.classList.contains("off");
    if (!node.role) continue;
    const {left, right, top, bottom} = box(node.body), at = box(node.badge.firstChild);
    const inside = (right - left) / 4;
    const over = at.right > left + inside && at.bottom > top + inside && at.left < right;
    if (node.count > 1 && over) found.push(`the count of ${node.data.label}`);
    const ring = box(node.halo).right + 1;
    const beside = named && box(node.text).top < bottom && box(node.text).bottom > top;
    if (node.role === "current" && beside && box(node.text).left < ring)
      found.push(`the ring of ${node.data.label}`);
  }
  const entries = [...__hopFilm.root.querySelectorAll(".legend .entry")];
  const seen = entries.filter((of) => of.offsetWidth).map((of) => box(of).top);
  if (new Set(seen.map(Math.round)).size > 1) found.push("the legend");
  return found;
}"""
"""Counts over the middle of their nodes, rings that touch their names, a legend of several lines.
"""

SIGNS = """() => {
  const {root, now} = globalThis.__hopFilm, all = (what) => [...root.querySelectorAll(what)];
  const seen = (of) => of.checkVisibility({visibilityProperty: true})
    && of.getBoundingClientRect().height;
  const told = (of) => of.innerText;
  return {
    visited: all(".legend .entry").filter(seen)
      .filter((of) => of.textContent.includes("Visited n times")).length,
    counts: all(".legend .count").map(told),
    last: all(".rounds .round").map(told).at(-1),
    visits: all(".ranking .visits").map(told).join(),
    waiting: now.queue.rows.filter(({sign}) => sign !== "-").length,
    away: all(".queue .away").filter(seen).map(told),
    rows: all(".queue .row").filter(seen).length,
  };
}"""
"""What signs are explained, how many are said to wait unseen, and how many do."""

COUNTED_ONCE = """() => {
  const {drawing, now, film} = globalThis.__hopFilm;
  const counted = drawing.groups.flatMap(({data}) => data.nodes);
  const away = Object.keys(now.nodes).map(Number).filter((i) => !drawing.nodes.get(i)?.role);
  return away.filter((i) => counted.filter((one) => one === i).length !== 1)
    .map((i) => film.nodes[i].label);
}"""
"""Names of what is known and not drawn, and counts in no group, or in several."""
