// The map in a page of its own: PyVis's network, with the land and the names drawn over it.

const told = JSON.parse(document.getElementById("corpus-map-data").textContent);
const view = new CorpusMapView(document.querySelector(".corpus-map-root"), told, (chosen) => {
  const panel = document.querySelector(".passage-text");
  panel.hidden = chosen?.kind !== "passage" || !told.units.text;
  panel.textContent = "";
  if (panel.hidden) return;
  const title = document.createElement("h2"), text = document.createElement("p");
  title.textContent = told.units.title[chosen.number];
  text.textContent = told.units.text[chosen.number];
  panel.append(title, text);
}, { network, nodes, edges, stage: document.getElementById("mynetwork") });
view.setDark(matchMedia("(prefers-color-scheme: dark)").matches);
if (told.said) view.say(told.said);
globalThis.__hopMap = view;
