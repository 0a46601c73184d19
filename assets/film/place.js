// Where a film or a difference stands, as the address of the page has it.

function placeOf(search) {
  const asked = new URLSearchParams(search), t = Number.parseInt(asked.get("t"), 10);
  return { t: t > 0 ? t : null, grain: asked.get("grain"), view: asked.get("view"), present: asked.get("present") === "1" };
}

function keepPlace(changes) {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  history.replaceState(history.state, "", address);
}
