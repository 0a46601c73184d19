// What a page adds to its own address as it opens is no place to go back to: only what a person does
// is, and that once. Streamlit makes a new entry of the browser's history of every change of the address;
// of one that leaves the page, too, the address of the next page may come before its name: that is the same entry.

export default function () {
  if (globalThis.__hopAddress) return;
  globalThis.__hopAddress = true;
  const push = history.pushState.bind(history);
  let opening = true, pushed = false; // by what was done last
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { opening = pushed = false; }, true);
  addEventListener("popstate", () => { opening = true; pushed = false; });
  history.pushState = (state, unused, url) => {
    const leaves = new URL(url ?? "", location.href).pathname !== location.pathname;
    if (leaves ? pushed : opening) history.replaceState(state, unused, url);
    else push(state, unused, url);
    pushed = !leaves && (pushed || !opening);
    opening = true;
  };
}
