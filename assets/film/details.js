// What is picked out: its text, where it stands now, and every list it was in so far.

// How a node stands: of gold that was not taken, how it was lost.
const roleWords = ({ nodes, roles }, now, i) => (nodes[i].gold && ["lost", "ghost", "refused"].includes(now.nodes[i]) && now.gold[i]) || roles.nodes[now.nodes[i]];

// `events` are the frames of the finest grain, `now` the one that is shown.
function details(film, events, now, { kind, of }, actions) {
  return kind === "line" ? lineDetails(film, events, now, of, actions) : nodeDetails(film, events, now, of, actions);
}

function nodeDetails(film, events, now, of, actions) {
  const node = film.nodes[of], box = element("div", "details");
  box.append(heading(node.label, node.gold));
  const ended = now.t === film.timeline.last, held = now.ranking.rows.findIndex((row) => row.node === of);
  const gold = film.gold.find((one) => one.node === of), missed = ended && gold?.missing;
  // How gold was lost has a line of its own, which says its rank too.
  const standing = [missed ? "" : now.nodes[of] ? roleWords(film, now, of) : ended ? "not found" : "not found yet", !missed && held < 0 && node.gold && now.gold[of],
    node.unjudged && "the model was never asked here", node.kind !== "passage" && nounOf(node)];
  if (held >= 0) {
    const row = now.ranking.rows[held], all = now.ranking.rows.filter(({ node, score }) => node !== undefined || score).length + (now.ranking.more ?? 0);
    standing.push(missed ? "" : `rank ${row.place ?? held + 1} of ${all} ranked passages`, told(row, now.ranking));
    if (row.times) standing.push(`${row.times} visit${row.times > 1 ? "s" : ""}`);
  }
  // Why it was lost comes before its text, which may be long.
  if (missed) box.append(words("standing missed", gold.missing));
  if (gold?.told && gold.told_at <= now.t) box.append(jump(gold));
  if (node.text) box.append(passageText(node));
  const stands = [...new Set(standing.filter(Boolean))].join(" · ");
  if (stands) box.append(words("standing", stands));
  if (node.gold === "hand") box.append(words("standing", `${["Marked as gold by hand", gold?.by].filter(Boolean).join(" ")}.`));
  else if (gold?.by && !gold.marked) box.append(words("standing", `Unmarked by hand ${gold.by}.`));
  if (ended && gold?.fate) box.append(words("standing", gold.fate));
  if (actions && node.kind === "passage") box.append(actionRow(film, of, actions));
  const near = ended ? gold?.lists ?? [] : [], empty = ended ? "It was never offered." : "It has not been offered yet.";
  // What ranks all passages at once has no lists that a passage could be missing in.
  const met = occasions(film, events, now.t, (row) => row.node === of), none = ended && !events.some(({ board }) => board?.rows.some(({ node: listed, sign }) => listed !== undefined && sign));
  const looked = listed(lists(ended), met, near.length || none ? "" : empty);
  looked.append(...near.map((said) => words("near", said)));
  if (met.length || near.length || !none) box.append(looked);
  return box;
}

// The text of a passage, with the evidence in it marked.
function passageText({ text, facts = [] }) {
  const box = words("passage", "");
  let at = 0;
  for (const fact of facts) {
    const start = text.indexOf(fact, at);
    if (start < 0) continue;
    box.append(text.slice(at, start), element("mark", "highlight", fact));
    at = start + fact.length;
  }
  box.append(text.slice(at));
  return box;
}

const lists = (ended) => (ended ? "Every list it was in" : "Every list it was in so far");

// What was said at a step, with the way there, to the line that it is said of.
function jump({ told, told_at: t, told_line: line }) {
  const made = words("fact missed", `${told} `);
  made.dataset.t = t;
  if (line != null) made.dataset.line = line;
  made.append(wordButton("Show it there", () => {}, "jump"));
  return made;
}

function lineDetails(film, events, now, of, actions) {
  const line = film.lines[of], box = element("div", "details");
  const ends = [line.source, line.target].map((end) => film.nodes[end].label);
  box.append(heading(ends.join(line.directed ? " → " : " – "), ""));
  box.append(words("standing", [film.roles.lines[now.lines[of]] ?? "not looked at yet", film.xrays?.[of] ? "" : line.detail].filter(Boolean).join(" · ")));
  const looked = occasions(film, events, now.t, (row) => row.line === of), last = looked.at(-1);
  if (last) box.append(words("standing missed", decided(last)));
  if (actions?.amend && film.hands) box.append(byHand(lineChoices(film, of), actions));
  const within = film.xrays?.[of];
  if (within) box.append(xray(within, film.nodes[line.source].label, film.nodes[line.target].label));
  else if (line.label) box.append(words("passage quoted", line.label));
  if (actions?.explore && film.nodes[line.source].kind === "passage") {
    const row = element("div", "actions");
    row.append(wordButton("See it in Explore", () => actions.explore(film.nodes[line.source].id), "explore"));
    box.append(row);
  }
  box.append(listed(lists(now.t === film.timeline.last), looked, now.t === film.timeline.last ? "It was never offered." : "It has not been offered yet."));
  return box;
}

// Both questions with their sentences, and of what SIM is the mean.
function xray({ similarity, jaccard, cosine, raised, raised_from, answered, answered_from, shared }, source, target) {
  const box = element("div", "xray"), parts = element("dl", "parts");
  for (const [name, value] of [["Jaccard", jaccard], ["cosine", cosine], ["SIM, their mean", similarity]]) {
    const bar = element("span", "measure");
    bar.style.setProperty("--share", String(Math.max(0, Math.min(1, value))));
    const cell = element("dd");
    cell.append(bar, element("b", "", value.toFixed(3).replace("-", "−")));
    parts.append(element("dt", "", name), cell);
  }
  box.append(parts);
  for (const [by, question, sentence] of [[`Raised by ${source}`, raised, raised_from], [`Answered by ${target}`, answered, answered_from]]) {
    if (!question) continue;
    box.append(Object.assign(element("h4", "", by), { dir: "auto" }), words("quoted", question));
    if (sentence) box.append(words("from", `from: ${sentence}`));
  }
  if (shared) box.append(words("from", shared.length ? `Keywords of both: ${shared.join(", ")}` : "They share no keyword."));
  return box;
}

function heading(text, gold) {
  const made = element("h3", "", text);
  made.dir = "auto";
  if (gold) made.prepend(element("span", "star", `${starOf(gold)} `));
  return made;
}

// All in one row, in few words; the whole of it is told where a button is pointed at.
function actionRow(film, of, actions) {
  const node = film.nodes[of], row = element("div", "actions"), choices = actions.amend && film.hands ? nodeChoices(film, of) : [];
  if (actions.mark) row.append(wordButton(node.gold ? "Unmark" : "Mark as gold", () => actions.mark(node.id), "mark"));
  if (actions.explore) row.append(wordButton("Explore", () => actions.explore(node.id), "explore"));
  row.append(...choices.map(([said, what, whole]) => {
    const made = wordButton(said, () => actions.amend(what), "amend");
    made.title = whole;
    return made;
  }));
  return row;
}

// What of a walk may be chosen otherwise, as [words, what it is, the whole words]; where each line stands is said in Python.
function nodeChoices({ hands, nodes }, of) {
  const at = nodes[of].id, start = hands.starts.includes(of);
  const found = [[start ? "Do not start here" : "Start here", { verb: start ? "skip" : "start", at }, start ? "Walk without this seed" : "Start the walk here, too"]];
  if (hands.judged.includes(of)) found.push(["Follow no edge", { verb: "judge", at, tie: "" }, "Follow no edge from here"]);
  return found;
}

function lineChoices({ hands, nodes, lines }, of) {
  const { id: tie, source, target } = lines[of], ends = [source, ...(hands.both ? [target] : [])].filter((end) => hands.judged.includes(end));
  return ends.flatMap((end) => {
    const at = nodes[end].id, taken = hands.taken[of]?.includes(end), where = ends.length > 1 ? ` at '${nodes[end].label}'` : "";
    return [[`${taken ? "Refuse it" : "Take it"}${where}`, { verb: taken ? "refuse" : "take", at, tie }],
      [`Judge by hand: only this${where}`, { verb: "judge", at, tie }]];
  });
}

function byHand(found, actions) {
  const row = element("div", "actions");
  row.append(...found.map(([said, what]) => wordButton(said, () => actions.amend(what), "amend")));
  return row;
}

// Every list up to t in which a row is meant, with its place there.
function occasions(film, events, t, meant) {
  const found = [];
  let last = null;
  for (const { t: at, board, caption } of events) {
    if (at > t) break;
    if (!board || board === last) continue;
    last = board;
    board.rows.forEach((row, i) => {
      if (!meant(row)) return;
      const sign = row.sign === "y" ? "✓ " : row.sign === "n" ? "✗ " : "";
      const what = [`${sign}${film.timeline.names[at - 1]}`, board.title !== film.timeline.names[at - 1] && board.title, (row.place || row.score) && `no. ${row.place ?? i + 1} of this list`, told(row, board), row.note, row.why].filter(Boolean).join(" · ");
      found.push({ at, text: what, row, board, more: row.text, caption });
    });
  }
  return found;
}

// Its score beside those of the other side, or what else it had to beat.
function decided({ row, board }) {
  const others = board.rows.filter(({ sign }) => sign && sign !== row.sign), beside = row.sign === "y" ? others[0] : others.at(-1);
  const against = beside?.score && (row.sign === "y" ? `best not taken: ${beside.score}` : `last taken: ${beside.score}`);
  return [`Score there: ${told(row, board)}`, row.why ? `not taken: ${row.why}` : against].filter(Boolean).join("; ");
}

function listed(title, lines, empty) {
  const box = element("div", "facts");
  box.append(element("h4", "", title));
  if (!lines.length && empty) box.append(element("p", "none", empty));
  for (const { at, text, more, caption } of lines) {
    const line = words("fact", text);
    line.title = caption;
    line.dataset.t = at;
    if (more) line.append(words("quoted", more));
    box.append(line);
  }
  walked(box, ".fact");
  return box;
}

// What was said so far, what was asked so far, and what a model was asked here, word for word.
function transcript(film, now) {
  const box = element("div", "details");
  for (const { t, by, text, ends } of film.said.slice(0, now.said)) {
    const line = element("p", t === now.t ? "said now" : "said");
    line.append(element("b", "", `${by}: `), words("", text));
    if (ends) line.append(words("ends", `The search stops: ${ends}.`));
    box.append(line);
  }
  if (!now.said) box.append(element("p", "none", "Nothing has been said yet."));
  return box;
}

function searches(film, now) {
  const box = element("div", "details");
  film.questions.slice(0, now.questions).forEach(({ t, id, name, text, found, until }, i) => {
    const line = element("p", t === now.t ? "said now" : "said");
    line.style.paddingLeft = `${0.6 + 0.9 * (id.split(".").length - (id === "#" ? 1 : 0))}rem`;
    line.append(element("b", "", text ? `${name}: ` : name), words("", text));
    if (found && now.t >= until) line.append(words("ends", found));
    if (now.answers[i]) line.append(words("ends", `Answer: ${now.answers[i]}`));
    box.append(line);
  });
  return box;
}

function exchanges(film, now) {
  const box = element("div", "details");
  const here = film.exchanges.filter(({ t }) => t === now.t);
  if (film.unsaid) box.append(element("p", "none", film.unsaid));
  const shown = here.length ? here : film.exchanges.filter(({ t }) => t < now.t).slice(-1);
  if (!shown.length) box.append(element("p", "none", "No model has been asked yet."));
  for (const { t, title, model, system, user, replies, note } of shown) {
    box.append(heading(title || model, ""), words("standing", [model, note, t === now.t ? "" : `at ${film.timeline.names[t - 1]}`].filter(Boolean).join(" · ")));
    for (const [name, text] of [["Instructions", system], ["Asked", user], ...replies.map((reply) => ["Reply", reply])]) {
      if (text) box.append(element("h4", "", name), words("word", text));
    }
  }
  return box;
}
