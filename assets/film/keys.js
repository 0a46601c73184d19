// The keys that are heard here, in a list that lies in front: of a film, of columns, of a difference. While it is open
// the focus stays in it; then it goes back to where it was.

class Keys {
  // `heard` gives them in groups, each a name and its keys with what they do.
  constructor(heard) {
    this.heard = heard;
    this.box = element("dialog", "help");
    this.box.setAttribute("aria-label", "Keys");
    this.leave = wordButton("Close", () => this.close());
    this.box.addEventListener("keydown", (event) => { if (event.key === "Tab") event.preventDefault(); });  // there is but one button
  }

  toggle() {
    if (this.close()) return;
    const groups = this.heard().filter(([, keys]) => keys.length).map(([name, keys]) => {
      const list = element("dl");
      for (const [key, what] of keys) list.append(element("dt", "", key), element("dd", "", what));
      return holding("section", "", element("h4", "", name), list);
    });
    this.box.replaceChildren(element("h3", "", "Keys"), holding("div", "groups", ...groups), this.leave);
    this.box.showModal();
    this.leave.focus();
  }

  // Says whether there was anything to close.
  close() {
    const was = this.box.open;
    this.box.close();
    return was;
  }
}

// The keys of a film beside those of the page, which come first: a key that is the page's own has one meaning.
function besidePage(page, keys) {
  const taken = new Set(page.flatMap(([key]) => key.split(/[\s,]+/)));
  return [...keys.map(([name, of]) => [name, of.filter(([key]) => !taken.has(key))]), ["On this page", page]];
}
