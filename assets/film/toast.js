// What was just done, with the way back, for a while.

const STAYS = 8000;                         // milliseconds

class Toast {
  constructor() {
    this.box = element("div", "toast");
    this.box.setAttribute("role", "status");
    this.box.hidden = true;
  }

  say(text, undo) {
    clearTimeout(this.timer);
    const button = wordButton("Undo", () => { this.hide(); undo(); });
    this.box.replaceChildren(words("", text), button);
    this.box.hidden = false;
    this.timer = setTimeout(() => this.hide(), STAYS);
  }

  hide() { this.box.hidden = true; }
}

// What marking a passage the other way makes of it.
function markTold({ nodes, gold }, id) {
  const marked = gold.find((one) => one.id === id && one.marked), node = nodes.find((one) => one.id === id);
  const name = `'${cropped(node?.label ?? marked?.name ?? id, 60)}'`;
  return `${name} is ${marked ? "unmarked" : "marked"} as gold.`;
}
