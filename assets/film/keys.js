// The keys that are heard here, in a list that lies in front: of a film, of columns, of a difference.

class Keys {
  // `heard` gives them, each with what it does.
  constructor(heard) {
    this.heard = heard;
    this.box = element("div", "help");
    this.box.hidden = true;
  }

  toggle() {
    const list = element("dl");
    for (const [key, what] of this.heard()) list.append(element("dt", "", key), element("dd", "", what));
    this.box.replaceChildren(element("h3", "", "Keys"), list, wordButton("Close", () => this.close()));
    this.box.hidden = !this.box.hidden;
  }

  // Says whether there was anything to close.
  close() {
    const was = !this.box.hidden;
    this.box.hidden = true;
    return was;
  }
}
