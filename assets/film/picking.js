// What is picked out of a film, in its drawing or in any of its lists, and the card of what is pointed at.

class Picking {
  // `film` is the film that is played.
  constructor(film) {
    Object.assign(this, { film, selected: null });
    this.card = element("div", "hovered");
    this.card.hidden = true;
    film.root.addEventListener("keydown", (event) => this.tabbed(event));
  }

  // What is picked out by its id, which it keeps when the film is made anew; and the other way round.
  get named() {
    const { film } = this.film, { kind, of } = this.selected ?? {};
    return kind ? { kind, id: (kind === "node" ? film.nodes : film.lines)[of].id } : null;
  }

  find({ kind, id }) {
    const { film } = this.film, of = (kind === "node" ? film.nodes : film.lines).findIndex((one) => one.id === id);
    this.selected = of < 0 ? null : { kind, of };
  }

  // Whether it is this node or this line.
  is(kind, of) { return this.selected?.kind === kind && this.selected.of === of; }

  clicked({ target }) {
    const row = target.closest?.(".row, .gold-chip, .fact");
    if (!row || target.closest("svg.drawing")) return;
    const { t, node, line } = row.dataset;
    if (t) this.film.go(+t);
    if (t && !line) return null;
    if (line && (row.closest(".step") || !node)) return this.select({ kind: "line", of: +line });
    if (node !== undefined && node !== "") return this.select({ kind: "node", of: +node });
    return null;
  }

  // What is picked again while its details are shown is let go. Where details stand in place of the list in which it was
  // picked they take the keys.
  select(what) {
    const { sidebar } = this.film, again = what && this.is(what.kind, what.of) && sidebar.tab === "Details";
    if (what && !again) this.from = this.leads = this.keysAt;
    this.selected = again ? null : what;
    sidebar.turnTo(this.selected ? "Details" : "Step");
    this.card.hidden = true;
    if (this.selected && this.from && !this.from.isConnected) sidebar.panelShown.focus({ preventScroll: true });
    this.film.paint();
  }

  get keysAt() {
    const had = this.film.root.getRootNode().activeElement;
    return this.film.root.contains(had) ? had : null;
  }

  // The first Tab after something was picked leads to its details, wherever they stand.
  tabbed(event) {
    if (event.key !== "Tab" || event.shiftKey || !this.leads || this.leads !== this.keysAt || this.film.sidebar.tab !== "Details") return;
    this.leads = null;
    this.film.sidebar.panelShown.focus({ preventScroll: true });
    event.preventDefault();
  }

  // Out of its details the keys go back to where it was picked, or where that was made anew to its place in the drawing.
  letGo() {
    const { sidebar, drawing } = this.film, inside = sidebar.has(this.keysAt);
    if (inside) drawing.svg.focus({ preventScroll: true });
    this.select(null);
    if (inside && this.from?.isConnected) this.from.focus({ preventScroll: true });
  }

  // Beside what is pointed at; of what the keys are at on the other side, for they go on to what is near.
  // What has its details open has no card: it would say the same, on top of the drawing.
  hover(what, at, far = false) {
    this.card.hidden = true;
    if (!what || !this.film.film || (this.is(what.kind, what.of) && this.film.sidebar.tab === "Details")) return;
    this.card.replaceChildren(...card(this.film.film, this.film.now, what));
    this.card.hidden = false;
    const { offsetWidth: w, offsetHeight: h } = this.card, { clientWidth, clientHeight } = this.card.parentElement;
    if (far) {
      const other = (spot, size, room) => `${spot < room / 2 ? Math.max(4, room - size - 8) : 8}px`;
      Object.assign(this.card.style, { left: other(at.x, w, clientWidth), top: other(at.y, h, clientHeight) });
      return;
    }
    this.card.style.left = `${Math.max(4, Math.min(at.x + 14, clientWidth - w - 4))}px`;
    this.card.style.top = `${at.y + 18 + h > clientHeight ? Math.max(4, at.y - h - 12) : at.y + 18}px`;
  }
}
