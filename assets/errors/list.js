// The list of results, one element for all of them: a press tells the place of the one that is meant.

function made(tag, name, text) {
  const found = document.createElement(tag);
  found.className = name;
  if (text !== undefined) found.textContent = text;
  return found;
}

function row({ at, said, mark, text, hint }, now, go) {
  const box = made("button", at === now ? "hop-case hop-case-now" : "hop-case");
  const head = made("span", "hop-case-head"), asked = made("span", "hop-case-text", text);
  head.append(made("span", "", said), made("b", "", mark));
  asked.dir = "auto";
  box.append(head, asked);
  box.title = hint;
  if (at === now) box.setAttribute("aria-current", "true");
  box.setAttribute("aria-label", [`${at}: ${text}`, said, mark].filter(Boolean).join(", "));
  box.onclick = () => go(at);
  return box;
}

function turn({ sign, hint, at }, go) {
  const box = made("button", "", sign);
  box.title = hint;
  box.disabled = !at;
  box.onclick = () => go(at);
  return box;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".hop-cases"), had = root.contains(document.activeElement);
  const go = (at) => setTriggerValue("at", at);
  const foot = made("div", "hop-cases-foot");
  foot.append(...data.turns.map((one) => turn(one, go)), made("span", "", data.told));
  const list = made("div", "hop-cases-list");
  list.append(...data.rows.map((one) => row(one, data.now, go)));
  root.replaceChildren(list, foot);
  const now = root.querySelector(".hop-case-now");
  // Where the list is a row, the one that is looked at stands in the middle of it.
  if (now) list.scrollLeft = now.offsetLeft - list.offsetLeft - (list.clientWidth - now.offsetWidth) / 2;
  if (had) now?.focus();
}
