// The parts of a film, made once: fields of `film`, in their places below its root.

function assemble(film) {
  film.picking = new Picking(film);
  film.twin = new Twin(film);
  film.sidebar = new Sidebar(film);
  film.sentence = new Sentence();
  film.timeline = new Timeline((t) => film.go(t), (t) => film.events.find((frame) => frame.t >= t)?.caption ?? "");
  film.keys = new Keys(() => besidePage(film.hooks.keys ?? [], KEYS.filter(([name]) => name !== "Question" || film.hooks.question)));
  film.golds = element("div", "golds");
  film.remarked = element("p", "remarked");
  film.remarked.hidden = true;
  film.hint = element("p", "hint");
  film.stage = holding("div", "stage", graphOf(film), film.sidebar.box);
  film.foot = holding("div", "foot", toolsOf(film));
  film.root.append(askedOf(film), film.sentence.box, film.remarked, film.golds, film.stage, film.foot, playerOf(film), film.hint, film.keys.box);
  film.root.addEventListener("click", (event) => film.picking.clicked(event));
  film.root.addEventListener("keydown", (event) => stayInside(film.root, event));
  film.root.addEventListener("cancel", (event) => { event.preventDefault(); film.escape(); });
}

function askedOf(film) {
  film.query = element("b", "query");
  film.query.dir = "auto";
  film.by = element("span", "by");
  return holding("header", "asked", film.query, film.by);
}

function graphOf(film) {
  film.drawingHolder = element("div", "holder");
  film.drawing = new Drawing(film.drawingHolder, {
    pick: (what) => film.picking.select(what), hover: (what, at, far) => film.picking.hover(what, at, far), group: (group) => film.twin.open(group),
    told: (what) => film.spoken(what), moved: () => film.moved(),
  });
  film.opened = element("b", "opened");
  film.opened.dir = "auto";
  film.idea = element("div", "idea");
  film.opening = holding("div", "opening", film.opened, film.idea, element("span", "", "Space plays the film, → goes one step forward"));
  return holding("section", "graph", film.drawingHolder, film.opening, film.picking.card, film.twin.box);
}

function toolsOf(film) {
  const { drawing } = film;
  film.shown = element("span", "shown");
  return holding("div", "tools",
    film.shown, tool("in", "Zoom in", () => drawing.zoomBy(CLOSER), "+"), tool("out", "Zoom out", () => drawing.zoomBy(1 / CLOSER), "-"),
    tool("fit", "Fit into view", () => film.fit(), "f"), tool("table", "The drawing as a table", () => film.twin.toggle(), "t"),
    tool("png", "Download as PNG", () => savePicture(drawing, film.legend.box, "film")),
  );
}

function playerOf(film) {
  film.playButton = tool("play", "Play", () => film.toggle(), "Space");
  film.playWord = element("span", "", "Play");
  film.playButton.append(film.playWord);
  film.buttons = holding("div", "buttons", tool("first", "To the question", () => film.edge(0), "Home"), tool("back", "Back", () => film.step(-1), "←"), film.playButton,
    tool("forward", "Forward", () => film.step(1), "→"), tool("last", "To the result", () => film.edge(1), "End"));
  Object.assign(film, { speedAt: element("span", "speedAt"), grainAt: element("span", "grainAt"), viewAt: element("span", "viewAt") });
  film.settings = holding("div", "settings", film.speedAt, film.grainAt, film.viewAt,
    tool("present", "Presenter mode", () => film.present(!film.presenting), "p"), wordButton("?", () => film.keys.toggle(), "keys-button"));
  return holding("footer", "player", film.buttons, film.timeline.box, film.settings);
}
