// Rows of HTML panels that select what they show, as a click in the graph would.
// A row carries data-graph (the graph's name), data-kind (node or edge) and data-id.
function pick(event) {
  if (event.type === "keydown" && event.key !== "Enter") return;
  const row = event.target.closest?.("[data-graph][data-kind][data-id]");
  if (!row) return;
  const { graph, kind, id } = row.dataset;
  globalThis.__hopGraph?.get(graph)?.emit?.({ kind, id });
}

// A slider or a choice that was used with the mouse keeps the focus and would eat the arrow keys,
// which are the player's.
function giveKeysBack(event) {
  if (!event.target.closest?.(".st-key-player, .st-key-trace_views")) return;
  setTimeout(() => document.activeElement?.blur?.());
}

export default function () {
  if (globalThis.__hopPicking) return;           // one listener serves every panel of the tab
  globalThis.__hopPicking = true;
  document.addEventListener("click", pick);
  document.addEventListener("keydown", pick);
  document.addEventListener("pointerup", giveKeysBack);
}
