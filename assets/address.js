// What a page adds to its own address as it opens is no place to go back to: only what a person does
// is, and that once. Streamlit makes a new entry of the browser's history of every change of the address.

export default function () {
  if (globalThis.__hopAddress) return;
  globalThis.__hopAddress = true;
  const push = history.pushState.bind(history);
  let opening = true;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { opening = false; }, true);
  addEventListener("popstate", () => { opening = true; });
  history.pushState = (state, unused, url) => {
    const leaves = new URL(url ?? "", location.href).pathname !== location.pathname;
    if (opening && !leaves) history.replaceState(state, unused, url);
    else push(state, unused, url);
    opening = true;
  };
}
