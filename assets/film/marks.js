// What nodes, lines, counts and columns are drawn with: made once, in the layers of a drawing.

function nodeMarks(i, data, layers) {
  const node = { i, data, role: "", size: 1, count: 0 };
  node.halo = drawn("ellipse", { class: "halo" });
  node.body = drawn("path", { class: "body" });
  node.mark = drawn("path", { class: "mark" });
  node.badge = drawn("g", { class: "badge" }, drawn("rect"), drawn("text", { "text-anchor": "middle" }));
  node.hatch = drawn("path", { class: "hatch" });
  node.in = drawn("g", { class: "in" }, node.halo, node.body, node.hatch, node.mark, node.badge);
  node.g = drawn("g", { class: "node off", "data-node": i }, node.in);
  node.text = drawn("text", {});
  node.ground = drawn("text", { class: "ground", "aria-hidden": "true" });  // of all its lines below all its letters: it would cut those of the line above
  node.label = drawn("g", { class: "label off", "data-of": i }, node.ground, node.text);
  layers.nodes.append(node.g);
  layers.labels.append(node.label);
  return node;
}

function lineMarks(i, data, pair, turn, layers) {
  const hit = drawn("path", { class: "hit" }), rim = drawn("path", { class: "rim" }), stroke = drawn("path", { class: "stroke" });
  const head = drawn("path", { class: "head" }), tail = drawn("path", { class: "head tail" });
  const g = drawn("g", { class: "line off", "data-line": i }, hit, rim, stroke, head, tail);
  layers.lines.append(g);
  return { i, data, pair, turn, hit, rim, stroke, head, tail, g, role: "" };
}

const OUTSIDE = ["refused", "plain"];       // on offer and not taken, or never reached

// What a group says of those that it counts, in the words of the legend: of all how many are in the result, or before it how
// many were reached. `roles` has one of each; where there is little room it is `brief`.
function groupWords(label, roles, brief) {
  const all = roles.length, kept = roles.filter((role) => role === "retrieved").length, outside = roles.filter((role) => OUTSIDE.includes(role)).length;
  const some = (count, how) => `${heaped(all, brief ? "" : label)} (${count} ${how})`;
  if (kept) return kept < all ? some(kept, "retrieved") : `+${all} retrieved`;
  if (!label || !outside) return heaped(all, label);
  if (outside < all) return some(all - outside, "reached");
  return roles.includes("plain") ? `+${all} not reached` : heaped(all, label);  // its list says of all how many are taken
}

const heaped = (all, label) => `+${all} ${label}`.trim();

// All that can be said of a group, about as wide as it gets; `ends` is whether it counts what may be in the result.
function groupSays(label, all, ends, brief) {
  const some = (how) => `${heaped(all, brief ? "" : label)} (${all} ${how})`;
  return [heaped(all, label), `+${all} not reached`, some("reached"), ...(ends ? [`+${all} retrieved`, some("retrieved")] : [])];
}

function groupMarks(data, i, layers) {
  const g = drawn("g", { class: "group off", "data-group": i }, drawn("rect", { rx: 11, height: 22, y: -11 }), drawn("text", { y: 4 }));
  if (data.told) g.append(Object.assign(drawn("title"), { textContent: data.told }));
  layers.groups.append(g);
  return { data, own: data.nodes, g };
}

function bandMarks(data, layers) {
  const g = drawn("g", { class: "band" }, drawn("rect", { y: -4000, height: 9000 }), drawn("text", { "text-anchor": "middle", y: 20 }));
  if (data.empty) g.append(Object.assign(drawn("text", { class: "empty off", "text-anchor": "middle" }), { textContent: data.empty.told }));
  layers.bands.append(g);
  return { data, g };
}
