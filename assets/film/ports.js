// Where lines between columns leave: behind the names that stand right of their nodes. The gutter of a
// column lies right of all its names, so that no line turns in front of one.

// Until names have their places, each is taken to stand right of its node.
function assumePorts(nodes, { reach, font }) {
  const gutters = new Map(), all = [...nodes];
  for (const node of all) {
    const column = Math.round(node.x);
    node.port = node.x + reach(node) + measure(croppedName(node.data.label, LENGTHS[0]), font) + 12;
    gutters.set(column, Math.max(gutters.get(column) ?? 0, node.port));
  }
  const columns = [...gutters.keys()].sort((a, b) => a - b);
  for (const node of all) {
    const next = columns.find((x) => x > node.x + APART);
    node.room = next === undefined ? 0 : next - reach(node) - LEAST_BEND - 4;
    node.port = node.room ? Math.min(node.port, node.room) : node.port;
    node.gutter = gutters.get(Math.round(node.x));
    node.pitch = Math.min(...all.filter((one) => one.y !== node.y && Math.round(one.x) === Math.round(node.x)).map((one) => Math.abs(one.y - node.y)));
  }
}

// Behind its name, if that stands at `place` right of it and is written.
function portOf(node, place) {
  const beside = place?.free && place.x > node.x && Math.abs(place.y + place.h / 2 - node.y) < 0.5 * place.h;
  return beside ? place.x + 1.05 * place.w + 2 : undefined;
}

// Something runs along a line that is followed from `source`.
function travel(line, source, layer) {
  const back = line.data.target === source, token = drawn("circle", { class: "token", r: 5 });
  layer.append(token);
  const begun = performance.now();
  const step = (now) => {
    const share = Math.min(1, (now - begun) / 380), eased = 1 - (1 - share) ** 2;
    const at = along(line, back ? 1 - eased : eased);
    token.setAttribute("transform", `translate(${num(at.x)} ${num(at.y)})`);
    if (share < 1 && token.isConnected) requestAnimationFrame(step);
    else token.remove();
  };
  requestAnimationFrame(step);
}
