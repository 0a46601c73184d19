// The neighbourhood as a page of its own: it needs nothing but this file.

const root = document.querySelector(".explore"), panel = document.querySelector(".panel");
const scene = JSON.parse(document.getElementById("data").textContent);
const shade = matchMedia("(prefers-color-scheme: dark)");
const lights = () => { document.body.classList.toggle("dark", shade.matches); root.classList.toggle("dark", shade.matches); };
lights();
shade.addEventListener("change", lights);
const explorer = new Explorer(root, { pick });
document.querySelector("h1").textContent = scene.title;
document.querySelector(".note").textContent = scene.note;
document.title = scene.title;
explorer.load(scene, null);
pick(null);
globalThis.__hopExplorer = explorer;

function pick(what) {
  explorer.select(what);
  panel.replaceChildren(...(what ? (what.kind === "line" ? tellEdge(what.id) : tellPassage(what.id)) : [element("p", "quiet", "Click a passage or an edge to read it.")]));
}

function tellPassage(id) {
  const of = scene.nodes.findIndex((node) => node.id === id), { label, gold, text } = scene.nodes[of];
  const lines = scene.lines.filter(({ source, target }) => source === of || target === of);
  const told = lines.map((line) => {
    const button = wordButton(`${line.source === of ? "→" : "←"} ${scene.nodes[line.source === of ? line.target : line.source].label}`, () => pick({ kind: "line", id: line.id }));
    button.append(element("em", "", ` ${line.similarity.toFixed(3)}`));
    return button;
  });
  return [element("h2", "", `${gold ? "★ " : ""}${label}`), element("p", "ids", `passage ${id}${gold ? " · gold" : ""}${gold === "hand" ? ", marked by hand" : ""}`),
    element("p", "text", text), element("h3", "", `Edges drawn (${lines.length})`), ...told];
}

function tellEdge(id) {
  const { source, target, label, raised, jaccard, cosine, similarity } = scene.lines.find((line) => line.id === id);
  const ends = [source, target].map((end) => wordButton(scene.nodes[end].label, () => pick({ kind: "node", id: scene.nodes[end].id })));
  const scores = [["Jaccard", jaccard], ["Cosine", cosine], ["Similarity", similarity]].map(([name, value]) => `${name} ${value.toFixed(3)}`).join(" · ");
  return [element("h2", "", "Edge"), ends[0], element("h3", "", "raises"), element("p", "text", raised), ends[1], element("h3", "", "answers"),
    element("p", "text", label), element("p", "ids", scores)];
}
