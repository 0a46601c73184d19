// The list of results, one element for all of them: a press tells the place of the one that is meant.

function made(tag, name, text) {
  const found = document.createElement(tag);
  found.className = name;
  if (text !== undefined) found.textContent = text;
  return found;
}

function row({ at, said, share, mark, note, conflict, text, hint, noted }, now, go) {
  const box = made("button", at === now ? "hop-case hop-case-now" : "hop-case");
  const head = made("span", "hop-case-head"), asked = made("span", "hop-case-text", text);
  head.append(made("span", "", said), made("span", "hop-case-share", share), made("b", "", [mark, conflict ? (mark ? "⚠ note" : "⚠ note in conflict") : note && (mark ? "✎" : "✎ note")].filter(Boolean).join(" ")));
  asked.dir = "auto";
  box.append(head, ...(noted ? [made("em", "hop-case-noted", noted)] : []), asked);
  box.title = hint;
  if (at === now) box.setAttribute("aria-current", "true");
  box.setAttribute("aria-label", [`${at}: ${text}`, said, share, mark, conflict, note && `note: ${note}`, noted].filter(Boolean).join(", "));
  box.onclick = () => go(at);
  return box;
}

// Where the list is a row that has more than is in view, the arrows show it before they turn the page.
function turn({ sign, hint, at }, by, list, go) {
  const box = made("button", "", sign);
  const beyond = () => (by < 0 ? list.scrollLeft : list.scrollWidth - list.clientWidth - list.scrollLeft) > 1;
  box.onclick = () => (beyond() ? list.scrollBy({ left: by * list.clientWidth }) : go(at));
  return [box, () => {
    box.disabled = !at && !beyond();
    box.title = beyond() ? (by < 0 ? "Previous results" : "More results") : hint;
  }];
}

// The first and the last place that is whole in view.
function inView(list, rows) {
  const { left, right } = list.getBoundingClientRect();
  const seen = rows.filter((_, i) => {
    const box = list.children[i].getBoundingClientRect();
    return box.left > left - 2 && box.right < right + 2;
  });
  return seen.length ? seen : rows;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".hop-cases"), had = root.contains(document.activeElement);
  const go = (at) => setTriggerValue("at", at);
  const foot = made("div", "hop-cases-foot");
  const list = made("div", "hop-cases-list"), told = made("span", ""), says = made("span", "hop-cases-says", data.says);
  list.append(...data.rows.map((one) => row(one, data.now, go)));
  const turns = data.turns.map((one, i) => turn(one, i ? 1 : -1, list, go));
  foot.append(...turns.map(([box]) => box), told, says);
  root.replaceChildren(list, foot);
  const moved = () => {
    const seen = inView(list, data.rows), places = seen.map(({ at }) => at.toLocaleString("en"));
    turns.forEach(([, look]) => look());
    told.title = data.says; // where there is no room for the line
    told.textContent = `${places[0]} to ${places.at(-1)} of ${data.total.toLocaleString("en")}`;
  };
  list.onscroll = moved;
  new ResizeObserver(moved).observe(list);
  const now = root.querySelector(".hop-case-now");
  // Where the list is a row, the one that is looked at stands in the middle of it.
  if (now) list.scrollLeft = now.offsetLeft - list.offsetLeft - (list.clientWidth - now.offsetWidth) / 2;
  if (had) now?.focus();
}
