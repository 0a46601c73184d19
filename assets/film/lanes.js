// Lanes: columns in which a name is whole or left out, and stands below its node where it has no room right
// of it. What matters most has its name first; a name that is left out is in the lists.

const QUESTION_ROWS = 9, NAME_ROWS = 3, LARGE_ROWS = 2;  // lines of a name at most, in large letters too but for gold; prose, such as a thought, has as many as a name
const SEAM = 13;                            // pixels left of its nodes at which lines go down a lane
const SEAMS = { few: [2, 9], counts: [3, 7] };  // how many there are, and how far apart; where they lie left of counts there is room for more
const PAST_COUNTS = 16;                     // pixels more there
const LOOSE = 10;                           // pixels above and below what stands in a lane, where there is room
const WISHED = { query: 5, other: 2 };      // lines of a name in a lane that is wide enough
const WIDTHS = ["least", "calm", "wish", "wide", "single"];  // of a lane, from what it has to have to what it can use
const OFF_MIDDLE = 4;                       // pixels from the middle of a node at which lines within a lane leave and arrive: those of other columns arrive there
const BEND = 7;                             // pixels of a corner there

// What a name that stands `gap` pixels right of its node needs of the width of a lane so that no word is broken, and on as many
// lines as it may have, below its node or right of it; what it wants at best, gold before others, can use, and has on one line.
// That of gold has room right of it in any case. A question wants no more than it needs: passages come first.
function laneWidths({ kind, label, gold }, reach, font, px, gap) {
  const name = laneName(kind, label), own = (lines) => narrowest(name, lines, font, px), beside = 2 * reach + gap;
  const rows = laneRows({ kind, label, gold }, px), prose = isThought(kind, label), aside = gold ? beside : 0;
  const least = own(prose ? QUESTION_ROWS : rows) + aside, tight = rows > LARGE_ROWS ? least : own(NAME_ROWS) + aside;
  const wish = kind === "query" ? least : Math.max(least, own(WISHED.other) + beside);
  const wide = kind === "query" ? Math.max(least, own(name.length > LONGEST ? WISHED.query : WISHED.other)) : wish;
  return { tight, least, calm: gold ? wish : least, wish, wide, single: kind === "query" ? wide : Math.max(wide, own(1) + beside) };
}

const laneName = (kind, label) => (kind === "query" ? label : longName(label, kind));
function laneRows({ kind, label, gold }, px) {
  if (kind === "query") return isThought(kind, label) ? NAME_ROWS : QUESTION_ROWS;
  return px > SMALL && !gold ? LARGE_ROWS : NAME_ROWS;
}
const isThought = (kind, label) => kind === "query" && /[.!…。！]\s*$/.test(label);

// The middles of the nodes of lanes: as wide as no word is broken, then as their names need, then as gold and as all of them want
// at best, then as they can use, then as none of them has two lines, each time whom it costs least first, as a part of it is of no
// use; and what is left over is for all alike.
function byLanes(columns, turn, width, around) {
  const least = columns.map(({ reach, tight }) => Math.max(2 * reach, tight)), room = width - around - RIGHT - turn * (columns.length - 1);
  const sum = (all) => all.reduce((one, other) => one + other, 0), shrunk = Math.min(1, room / sum(least));
  const wide = least.map((one) => shrunk * one);
  for (const key of WIDTHS) {
    const more = columns.map((column, i) => Math.max(0, column[key] - wide[i]));
    for (const i of [...more.keys()].sort((one, other) => more[one] - more[other])) wide[i] += Math.max(0, Math.min(more[i], room - sum(wide)));
  }
  const rest = Math.max(0, room - sum(wide)) / columns.length;
  let edge = around;
  return columns.map(({ reach }, i) => {
    const middle = edge + reach;
    edge += wide[i] + rest + turn;
    return middle;
  });
}

// The rows of one lane, whose nodes and names have `wide` pixels. Where what has no room for its name counts
// elsewhere, it makes room for the next.
function downLane(spots, drawing, wide, top, bottom) {
  const bare = ({ nodes }) => tallest(nodes.map((node) => bareOf(node, drawing)));
  const taken = new Map(spots.map((spot) => [spot, bare(spot)])), all = [...taken.values()].reduce((sum, [up, down]) => sum + up + down, 0);
  let room = bottom - top - all - roomForCut(spots, drawing, wide);
  const before = drawing.unnamed;
  for (const spot of byWeight(spots, drawing)) {
    for (const node of spot.nodes) {
      const more = (form) => tallest([taken.get(spot), form.tall]).reduce((sum, one) => sum + one, 0) - taken.get(spot).reduce((sum, one) => sum + one, 0);
      const forms = formsOf(node, drawing, wide), best = forms.find(({ entire }) => entire) ?? forms[0];
      node.named = forms.find((form) => more(form) <= Math.max(0, room)) ?? null;
      node.poor = Boolean(best) && (best.entire ? !node.named?.entire : node.named !== best);
      if (!node.named?.whole) drawing.unnamed += 1;
      if (!node.named) continue;
      room -= more(node.named);
      taken.set(spot, tallest([taken.get(spot), node.named.tall]));
    }
  }
  const loose = drawing.leaves && spots.length > 1 ? looseOf(spots, drawing) : null;
  if (loose) {
    drawing.unnamed = before + loose.nodes.length;
    downLane(spots.filter((spot) => spot !== loose), drawing, wide, top, bottom);
    return;
  }
  drawing.tight = Math.min(drawing.tight, (bottom - top) / all);
  const slack = Math.max(0, Math.min(LOOSE, room / (2 * spots.length)));
  for (const [spot, [up, down]] of taken) taken.set(spot, [up + slack + spot.above, down + slack]);
  const own = [...spots].sort((a, b) => a.y - b.y), ys = rowsDown(own.map(({ y }) => y), own.map((spot) => taken.get(spot)), top, bottom);
  own.forEach((spot, i) => Object.assign(spot, { y: ys[i], up: taken.get(spot)[0] - slack }));
}

// Who goes where not all names are as whole as they can be: of who may, who has no whole name itself, or else who
// matters least; whom the film looks at some time only where another has no name at all.
function looseOf(spots, drawing) {
  const poor = ({ nodes }) => nodes.some((node) => node.poor), may = byWeight(spots, drawing).filter(({ nodes }) => nodes.every((node) => drawing.mayLeave(node)));
  const first = may.filter(({ nodes }) => !nodes.some((node) => drawing.leavesLast(node))), nameless = spots.some(({ nodes }) => nodes.some(({ named }) => !named));
  const loose = spots.some(poor) ? first.findLast(poor) ?? first.at(-1) ?? (nameless ? may.at(-1) : null) ?? null : null;
  for (const node of loose?.nodes ?? []) node.named = null;
  return loose;
}

// The ways to write a name, the least tall first: whole, and then cut, what says most first, between words if it need not
// be there; where nodes do not leave, on one line anyhow.
function formsOf(node, drawing, wide) {
  const { kind, label, gold, short } = node.data, name = laneName(kind, label), font = `${drawing.px}px ${drawing.family}`;
  const [up, half] = bareOf(node, drawing), beside = wide - 2 * drawing.columnReach(node) - besideOf(node, drawing);
  const form = (room, most, under) => {
    if (room < LEAST_ROOM * drawing.px) return null;
    const lines = evenLines(name, room, most, font, drawing.px), tall = tallOf(lines.length, drawing.px) + (drawing.px > drawing.letters ? APART_BY : LEAST_APART);
    return { lines, under, whole: joinedLines(lines) === joinedLines([name]) && name === label, entire: joinedLines(lines) === joinedLines([name]), tall: under ? [up, half + tall] : [Math.max(up, tall / 2), Math.max(half, tall / 2)] };
  };
  const brief = short ? [nameLines(short, wide, 1, font)].filter(([line]) => line === short).map((lines) => ({ lines, under: true, whole: true, entire: true, tall: [up, half + tallOf(1, drawing.px)] })) : [];
  const rows = laneRows(node.data, drawing.px), forms = [form(beside, rows, false), form(wide, rows, true)].filter(Boolean), height = ({ tall: [one, other] }) => one + other;
  const own = kind === "fact" && name !== label ? form(beside, rows, false) : null;  // prose that is cut anyhow loses little by a word more
  const close = own && !own.entire && own.lines.join(" ").length > STILL * name.length ? [{ ...own, entire: true }] : [];
  const guest = Boolean(drawing.view.guests?.[node.i]), must = gold || (!guest && (!drawing.mayLeave(node) || drawing.leavesLast(node))), ends = (lines) => atEnd(lines.join(" "), name);
  const told = ({ lines }) => (drawing.leaves ? (lines.length > 1 && ends(lines)) || (guest && lines[0].length > TELLS) : guest || (lines.length === 1 && lines[0].length > TELLS) || ends(lines));
  const cut = [7, 6, 5, 4, 3, 2, 1].filter((most) => most <= rows).flatMap((most) => [form(wide, most, true), form(beside, most, false)]).filter((one) => one && (must || told(one))).sort((one, other) => lettersIn(other) - lettersIn(one));
  return [...close, ...forms.filter(({ entire }) => entire).sort((one, other) => height(one) - height(other)), ...brief, ...cut];
}

// A name that is whole on several lines, on lines about as long: those that turn behind it have the room.
function evenLines(name, room, most, font, px) {
  const lines = nameLines(name, room, most, font);
  if (lines.length < 2 || joinedLines(lines) !== joinedLines([name])) return lines;
  const even = nameLines(name, Math.min(room, narrowest(name, lines.length, font, px)), most, font);
  return joinedLines(even) === joinedLines([name]) ? even : lines;
}

const STILL = 0.7;                          // of the letters of a fact that are left beside its node, where it is cut anyhow
const LEAST_ROOM = 2;                       // letters
const APART_BY = 6, LEAST_APART = 2;        // pixels between two names in larger letters than there must be, and in others
const TELLS = 6;                            // the same of what is left of a name on one line: fewer tell nothing
const lettersIn = ({ lines }) => lines.join("").length;
const joinedLines = (lines) => lines.join(" ").replace(/([-‐–/]) /g, "$1");
const tallest = (all) => [0, 1].map((side) => Math.max(...all.map((one) => one[side])));

// How far a node without its name reaches up and down.
function bareOf(node, drawing) {
  const { grown, counted, looked, letters } = drawing, ring = letters > SMALL && looked.has(node.i) ? AROUND_NODE : 0;
  const half = (node.data.gold ? 15 : 12.5 * drawing.largestOf(node)) * grown + 1 + ring;
  return [Math.max(half, counted.has(node.i) ? roofOf(drawing) : 0), half];
}

// The places of names in lanes, as `placeLabels` gives them.
function laneNames(drawing) {
  return new Map([...drawing.nodes.values()].filter(({ named }) => named).map((node) => [node.i, namePlace(node, node.named, drawing)]));
}

function namePlace(node, { lines, under }, drawing) {
  const font = `${drawing.px}px ${drawing.family}`, side = drawing.reach(node) - 1, w = longer(lines, font) + 4, h = tallOf(lines.length, drawing.px);
  const at = under ? { x: node.x - side - 2, y: node.y + bareOf(node, drawing)[1] - 1 } : { x: node.x + drawing.columnReach(node) + besideOf(node, drawing) - 3, y: node.y - h / 2 };
  return { ...at, w, h, lines, text: lines.join(" "), anchor: "start", free: true, cost: 0, on: new Set() };
}

// The name below a node as lines meet it.
const belowOf = (node, { x, y, w, h }) => ({ x: node.x, y: y + h / 2, reach: node.x - x, port: x + w, half: h / 2 + 4 });

// In which row of its lane each node stands: lines of two rows beside each other go down different ways.
function rowsOfLane(nodes) {
  const ys = [...new Set(nodes.map(({ y }) => y))].sort((a, b) => a - b);
  for (const node of nodes) node.row = ys.indexOf(node.y);
}

// The way of a line within a lane: out to the left, `past` the counts of nodes if there are some, down or up between the lanes, and back.
function bracketed({ data, turn, alone }, a, b, past) {
  const down = b.y > a.y ? 1 : -1, rim = Math.min(a.x - a.reach, b.x - b.reach);
  const [seams, by] = past ? SEAMS.counts : SEAMS.few;
  const x = rim - SEAM - (past ? PAST_COUNTS : 0) - (a.data.kind === "query" ? 0 : by * ((a.row ?? 0) % seams)), off = alone ? 0 : ASIDE_BY * (turn - 1.5);
  const p = { x: a.x - a.reach - 1, y: a.y + off + down * OFF_MIDDLE }, q = { x: b.x - b.reach - 2, y: b.y + off - down * OFF_MIDDLE }, head = data.directed ? 7 : 0;
  const far = Math.min(BEND, Math.abs(q.y - p.y) / 2), straight = (from, to) => sampled([from, from, to, to]);
  return {
    track: [...straight(p, { x, y: p.y }), ...straight({ x, y: p.y }, { x, y: q.y }), ...straight({ x, y: q.y }, q)],
    path: `M${num(p.x)} ${num(p.y)}H${num(x + far)}Q${num(x)} ${num(p.y)} ${num(x)} ${num(p.y + down * far)}V${num(q.y - down * far)}Q${num(x)} ${num(q.y)} ${num(x + far)} ${num(q.y)}H${num(q.x - head)}`,
    head: data.directed ? arrow(q, { x: q.x - 9, y: q.y }) : "", tail: data.directed ? arrow({ x: p.x - 1, y: p.y }, { x: p.x - 9, y: p.y }) : "",
  };
}

const LEAST_UPRIGHT = 14;                   // pixels of a line that goes straight down

// The way of a line between two nodes of a lane of which one stands right above the other.
function upright({ data, turn, alone }, a, b) {
  const down = b.y > a.y ? 1 : -1, x = a.x + (alone ? 0 : ASIDE_BY * (turn - 1.5)), head = data.directed ? 7 : 0;
  const p = { x, y: a.y + down * (a.reach + 1) }, q = { x, y: b.y - down * (b.reach + 2) };
  return {
    track: sampled([p, p, q, q]), path: `M${num(p.x)} ${num(p.y)}V${num(q.y - down * head)}`,
    head: data.directed ? arrow(q, { x, y: q.y - 9 * down }) : "", tail: data.directed ? arrow(p, { x, y: p.y + 9 * down }) : "",
  };
}
