// What was just done, with the way back, for a while.

const STAYS = 8000;                         // milliseconds

class Toast {
  constructor() {
    this.box = element("div", "toast");
    this.box.setAttribute("role", "status");
    this.box.hidden = true;
  }

  // `what` is told of in full where one points at it.
  say(brief, what, undo) {
    clearTimeout(this.timer);
    const button = wordButton("Undo", () => { this.hide(); undo(); });
    button.setAttribute("aria-label", `Undo: ${what}`);
    this.box.title = what;
    this.box.replaceChildren(words("", brief), button);
    this.box.hidden = false;
    this.timer = setTimeout(() => this.hide(), STAYS);
  }

  hide() { this.box.hidden = true; }
}

// Whether a passage is gold, as this film has it.
function isGold({ nodes, gold }, id) {
  const node = nodes.find((one) => one.id === id);
  return node ? Boolean(node.gold) : gold.some((one) => one.id === id && one.marked);
}

// What was made of a passage.
function markTold({ nodes, gold }, id, marked) {
  const known = gold.find((one) => one.id === id), node = nodes.find((one) => one.id === id);
  return `'${cropped(node?.label ?? known?.name ?? id, 60)}' is ${marked ? "marked" : "unmarked"} as gold.`;
}
