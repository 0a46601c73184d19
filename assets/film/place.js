// Where a film or a difference stands, as the address of the page has it: `stop` is the one that is shown, of
// its grain, from 1. Links of before have the step `t`.

function placeOf(search) {
  const asked = new URLSearchParams(search), number = (name) => Math.max(0, Number.parseInt(asked.get(name), 10)) || null;
  return { stop: number("stop"), t: number("t"), grain: asked.get("grain"), view: asked.get("view"), present: asked.get("present") === "1" };
}

function keepPlace(changes) {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  history.replaceState(history.state, "", address);
}
