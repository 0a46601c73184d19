// The looks of one step. It draws nothing itself: it hands them to the graph of the same name,
// which may be mounted before or after it.
export default function ({ data, setStateValue }) {
  const graphs = (globalThis.__hopGraph ||= new Map());
  if (!graphs.has(data.name)) graphs.set(data.name, {});
  const slot = graphs.get(data.name);
  // The time makes every click news, also of what was picked last from here but not from elsewhere.
  slot.emit = (picked) => setStateValue("selected", { ...picked, at: Date.now() });
  if (slot.rev === data.rev) return;             // called again for another reason than a step
  Object.assign(slot, { rev: data.rev, paint: data.paint });
  slot.view?.apply();
}
