// The dialog that searches everything. It opens without the server, which is asked for results while one types.
// Titles are data: they only ever become text.

const PAUSE = 90; // ms without a key before the server is asked

function made(tag, name, text) {
  const found = document.createElement(tag);
  found.className = name;
  if (text) found.textContent = text;
  return found;
}

function row({ title, detail }, at, choose, go) {
  const box = made("div", "entry"), name = made("b", "", title);
  box.id = `hop-found-${at}`;
  box.setAttribute("role", "option");
  name.dir = "auto";
  box.append(name);
  if (detail.length) {
    const second = made("small", "");
    second.dir = "auto";
    second.append(...detail.map(([text, marked]) => (marked ? made("mark", "", text) : text)));
    box.append(second);
  }
  box.onpointermove = () => choose(at);
  box.onclick = () => go(at);
  return box;
}

function draw(list, { groups, text }, choose, go) {
  const rows = [], parts = [];
  for (const { title, entries } of groups) {
    const group = made("div", ""), heading = made("div", "group", title);
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", title);
    heading.setAttribute("aria-hidden", "true");
    group.append(heading);
    for (const entry of entries) {
      rows.push(row(entry, rows.length, choose, go));
      group.append(rows.at(-1));
    }
    parts.push(group);
  }
  if (!rows.length) parts.push(made("p", "none", `Nothing matches '${text}'.`));
  list.replaceChildren(...parts);
  list.scrollTop = 0;
  return rows;
}

const presenting = () => new URLSearchParams(location.search).get("present") === "1";

export default function ({ data, parentElement, setTriggerValue }) {
  const find = (what) => parentElement.querySelector(what);
  const dialog = find("dialog"), input = find("input"), list = find(".found"), said = find(".said");
  const state = (dialog.__hop ??= { timer: 0, at: 0 });
  const current = () => input.value === data.text;
  const choose = (at) => {
    state.at = Math.max(0, Math.min(at, rows.length - 1));
    rows.forEach((one, i) => one.setAttribute("aria-selected", String(i === state.at)));
    if (rows.length) input.setAttribute("aria-activedescendant", rows[state.at].id);
    else input.removeAttribute("aria-activedescendant");
  };
  const go = (at) => {
    if (!rows[at] || !current()) return;
    dialog.close();
    setTriggerValue("go", { text: data.text, at });
  };
  find(".scope").textContent = data.scope;
  const rows = draw(list, data, choose, go);
  choose(0);
  const tell = () => (said.textContent = current() ? `${rows.length} found` : "Searching …");
  tell();
  if (state.enter && current()) { state.enter = false; go(0); }
  const ask = () => { clearTimeout(state.timer); setTriggerValue("typed", input.value); };
  input.oninput = () => {
    clearTimeout(state.timer);
    state.enter = false;
    tell();
    if (!current()) state.timer = setTimeout(ask, PAUSE);
  };
  input.onkeydown = (event) => {
    event.stopPropagation(); // keys of the page
    if (event.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && rows.length) {
      event.preventDefault();
      choose((state.at + move + rows.length) % rows.length);
      rows[state.at].scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (current()) go(state.at);
      else { state.enter = true; ask(); } // what is typed has not arrived yet
    } else if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      dialog.close();
    }
  };
  dialog.onclose = () => dispatchEvent(new Event("hop-closed")); // assets/focus.js
  const open = () => {
    if (presenting() || dialog.open) return;
    dialog.showModal();
    input.select();
  };
  find(".open").onclick = open;
  find(".open kbd").textContent = /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘ K" : "Ctrl K";
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  const press = (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (presenting()) return;
    event.preventDefault();
    open();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
