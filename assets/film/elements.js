// Elements. Text goes in as text only.

// Where text is written, a list is open, or something else lies in front; a switch does not keep the keys.
const ASIDE = "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable], [role=listbox]:not(.drawing), [role=combobox], [role=dialog]:not(.film)";
const SVG = "http://www.w3.org/2000/svg";

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function holding(tag, name, ...inside) {
  const made = element(tag, name);
  made.append(...inside);
  return made;
}

function drawn(tag, attributes = {}, ...inside) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

const ICONS = {                             // paths on a 16 x 16 grid
  first: "M3.5 3v10M12.5 3 6 8l6.5 5Z", back: "M10.5 3 4.5 8l6 5", play: "M4.5 2.5 13 8l-8.5 5.5Z",
  pause: "M5 3v10M11 3v10", forward: "M5.5 3l6 5-6 5", last: "M12.5 3v10M3.5 3 10 8l-6.5 5Z",
  in: "M8 3v10M3 8h10", out: "M3 8h10", fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  png: "M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11", table: "M2 3h12v10H2ZM2 6.5h12M2 10h12M6.5 3v10",
  more: "M3.5 8h0M8 8h0M12.5 8h0",
  present: "M1.5 2.5h13v8.5h-13ZM8 11v2.5M5 13.5h6", close: "M4 4l8 8M12 4l-8 8",
};

// A button with a picture; its words are read out and shown on hover, with its key.
function tool(icon, words, action, key = "") {
  const made = element("button", `tool tool-${icon}`);
  made.type = "button";
  made.title = key ? `${words} (${key})` : words;
  made.setAttribute("aria-label", words);
  if (key) made.setAttribute("aria-keyshortcuts", key);
  made.append(drawn("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, drawn("path", { d: ICONS[icon] })));
  made.addEventListener("click", action);
  return made;
}

function wordButton(words, action, className = "") {
  const made = element("button", `word ${className}`.trim(), words);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
}

// A button that does nothing now keeps the focus, which one that is disabled would lose to the page.
function setIdle(button, on) { setAttribute(button, "aria-disabled", String(on)); }

// Gold that came with the questions has a full star, what a person marked an open one.
const starOf = (gold) => (gold === "hand" ? "☆" : "★");

// One of several, each a button.
function choices(name, offered, current, choose) {
  const made = element("span", "choices");
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", name);
  if (offered.length < 2) return made;
  made.append(...offered.map(([value, label]) => {
    const button = wordButton(label, () => choose(value));
    button.setAttribute("aria-pressed", String(value === current));
    return button;
  }));
  return made;
}

const ROWS = ":scope > .row:not([hidden]):is([data-node]:not([data-node='']), [data-line]:not([data-line='']))";

// What `select` finds in a list, its rows, as one stop of the Tab key: the arrows up and down go from one to the next,
// Enter picks one. It goes on where it was left.
function walked(list, select = ROWS) {
  const rows = () => [...list.querySelectorAll(select)];
  const stopAt = (row) => { for (const one of rows()) one.tabIndex = one === row ? 0 : -1; };
  const settle = () => { const all = rows(); stopAt(all.find((row) => row.tabIndex === 0) ?? all[0]); };
  list.addEventListener("focusin", ({ target }) => { if (rows().includes(target)) stopAt(target); });
  list.addEventListener("keydown", (event) => {
    const all = rows(), at = all.indexOf(event.target);
    const to = { ArrowDown: all[at + 1], ArrowUp: all[at - 1] }[event.key];
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") event.target.click();
    else if (to) to.focus();
    if (["Enter", "ArrowDown", "ArrowUp"].includes(event.key)) event.preventDefault();
  });
  settle();
  return settle;
}

// The focus stays while `change` makes anew what is in `box`: on what it was, or on what took its place.
function keepingFocus(box, change) {
  const stops = () => [...box.querySelectorAll("button, [tabindex]")], had = box.getRootNode().activeElement, at = stops().indexOf(had);
  change();
  if (at >= 0) (box.contains(had) ? had : stops()[at])?.focus({ preventScroll: true });
}

const WORTH = 0.7;                          // of so many letters: what a cut between words leaves at least

// As many letters, up to the end of a word where that leaves most of them.
function cropped(text, length) {
  const letters = Array.from(text);
  if (letters.length <= length) return text;
  const some = letters.slice(0, length - 1).join("").trimEnd(), words = atWord(some, letters[length - 1]);
  return `${words.length > WORTH * length ? words : some}…`;
}

// Up to the last word that is whole, if there is one; `next` is the letter behind.
const atWord = (some, next) => (!next || /\s/.test(next) ? some : some.replace(/\s+\S*$/, "")).replace(/[\s.,;:]+$/, "") || some;

// Words of another direction as what they are: where they are cut stands at their end, and nothing turns round
// what comes after them.
const TURNED = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;
const isolated = (words) => (TURNED.test(words) ? `\u2068${words}\u2069` : words);

// The same of a name: what tells it from another one stays, the heading behind '›' and the number.
function croppedName(name, length) {
  const [behind] = TELLING.exec(name), room = length - behind.length;
  if (room < 4 && behind.startsWith(HEADED)) return croppedName(behind.slice(1), length);
  return cropped(name.slice(0, name.length - behind.length), Math.max(4, room)) + behind;
}

const HEADED = " › ", TELLING = /(?: › (?:(?! › ).)*)?(?: · \d+)?$/;

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function setAttribute(of, name, value) { if (of.getAttribute(name) !== value) of.setAttribute(name, value); }

function setClass(of, name) { if (of.getAttribute("class") !== name) of.setAttribute("class", name); }

// In front of everything else a Tab at one end of a dialog leads to its other end, not out of the page.
function stayInside(dialog, event) {
  if (event.key !== "Tab" || event.defaultPrevented || !dialog.classList.contains("presenting")) return;
  const all = [...dialog.querySelectorAll("button, [tabindex]")].filter((of) => of.tabIndex >= 0 && of.checkVisibility());
  const [end, other] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]], had = dialog.getRootNode().activeElement;
  if (had !== end && !(event.shiftKey && had === dialog)) return;
  event.preventDefault();
  other?.focus();
}

// In front of everything else, which cannot be reached meanwhile, or back in its place. In front it has the keys
// itself, and then what has them in it now, or had them before, or `home`: the browser would give them to the first thing
// within it, and nobody would see where they are.
function setInFront(dialog, on, home) {
  const had = dialog.getRootNode().activeElement, inside = (of) => of && of !== dialog && dialog.contains(of) && of.checkVisibility();
  const back = () => [had, dialog.hopBefore].find(inside) ?? home();
  dialog.close();
  dialog.classList.toggle("presenting", on);
  dialog.hopEnlarge ??= () => enlarge(dialog);
  dialog.hopEnlarge();
  (on ? addEventListener : removeEventListener)("resize", dialog.hopEnlarge);
  document.documentElement.classList.remove("hop-presents");  // the page below may be seen from now on
  if (on) dialog.showModal();
  else dialog.show();
  dialog.tabIndex = -1;
  (on ? dialog : back()).focus({ preventScroll: true });
  dialog.hopBefore = had;
}

const STAGE = [1200, 800];                  // pixels; in a larger window all that is on a stage is larger

// How many times larger everything in it is drawn than it is laid out.
function enlarge(dialog) {
  const grown = dialog.classList.contains("presenting") ? Math.max(1, Math.min(innerWidth / STAGE[0], innerHeight / STAGE[1])) : 1;
  if (dialog.style.getPropertyValue("--grown") !== String(grown)) dialog.style.setProperty("--grown", grown);
}

// A distance on the screen in pixels of what is drawn in `of`.
const ownPixels = (of, distance) => distance / (of.currentCSSZoom ?? 1);
