// The film as a component of the application. Where it stands is kept in the address by the browser
// alone; what is to be done in Python is sent there.

// The first thing that a Tab reaches on the page: a way past its menus, seen while it has the focus.
function skipTo(film) {
  const made = element("button", "", "To the film");
  made.type = "button";
  const shown = "position:fixed;top:8px;left:8px;z-index:1000000;padding:8px 16px;border-radius:8px;border:2px solid;background:Canvas;color:CanvasText;font:inherit;";
  const hidden = "position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);";
  made.style.cssText = hidden;
  made.addEventListener("focus", () => { made.style.cssText = shown; });
  made.addEventListener("blur", () => { made.style.cssText = hidden; });
  made.addEventListener("click", () => {
    film.playButton.focus({ preventScroll: true });
    film.root.scrollIntoView({ block: "nearest" });
  });
  document.body.prepend(made);
  return made;
}

// The keys are the film's once its question was asked: the field that still holds this very question lets
// go of the focus. Any other field keeps it, and so does one in which another question is being typed.
function takeKeys(button, query) {
  const field = document.activeElement, told = (text) => text.trim().replace(/\s+/g, " ");
  if (!field?.matches?.("input, textarea") || told(field.value) !== told(query)) return;
  button.focus({ preventScroll: true });
}

// What stands below the film tells no more than has happened in it (assets/style.css). The step is a rule of its own: as a
// property of the whole page it would have the styles of all that is on it worked out anew at every step.
class Told {
  constructor() {
    this.sheet = new CSSStyleSheet();
    this.rule = this.sheet.cssRules[this.sheet.insertRule(".hop-arrival.played .strip {}")];
    document.adoptedStyleSheets.push(this.sheet);
  }

  tell(told, last) {
    const early = told < last;
    this.rule.style.setProperty("--hop-told", early ? told : "");
    document.documentElement.classList.toggle("hop-early", early);
  }

  destroy() {
    this.tell(Infinity, 0);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.sheet);
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".film");
  const held = (root.hopFilm ??= { from: `${Date.now()} ${Math.random()}`, count: 0, waiting: [] });
  // Where much is done at once only the last message arrives: each tells all that Python has not heard yet.
  held.waiting = held.waiting.filter(({ number }) => number > (data.heard[held.from] ?? 0));
  const send = (name) => (value) => {
    held.count += 1;
    held.waiting.push({ number: held.count, name, value });
    setTriggerValue("done", { from: held.from, acts: [...held.waiting] });
  };
  const hooks = {
    ...Object.fromEntries(data.acts.map((name) => [name, send(name)])),
    // A new address makes a browser ask for the page's icon again: not where there is no network.
    moved: ({ stop, grain, view }) => navigator.onLine && keepPlace({ stop: String(stop), t: null, grain, view: view !== "focus" ? view : new URLSearchParams(location.search).has("view") ? "graph" : null }),
    told: (told, last) => held.told.tell(told, last),
    keys: data.keys, // what the page hears, for the list of all keys
    presented: (on) => keepPlace({ present: on ? "1" : null }),
  };
  if (!held.film) {
    held.told = new Told();
    held.film = new Film(root, hooks);
    held.skip = skipTo(held.film);
  }
  held.film.hooks = hooks;
  root.classList.toggle("dark", isDark(root));
  if (held.rev !== data.rev) {
    held.rev = data.rev;
    const place = placeOf(location.search);
    if (data.from_start && !place.stop) place.t ??= 1;
    const before = held.film.film?.query;
    held.film.load(JSON.parse(data.film), place);
    if (before === held.film.film.query) held.film.settle();  // what Python writes of the address has no place
    if (before !== held.film.film.query) takeKeys(held.film.playButton, held.film.film.query);
    // Who turned to another question goes on from the player.
    if (before && before !== held.film.film.query && document.activeElement === document.body) held.film.playButton.focus({ preventScroll: true });
    if (place.present) held.film.present(true);
  }
  held.film.remark(...data.remark);
  held.film.sidebar.keep(data.keeps);
  held.film.by.replaceChildren(held.film.film.title, ...(data.beside ? [" ", element("span", "note", data.beside)] : []));
  globalThis.__hopFilm = held.film;
  return () => { held.film.destroy(); held.skip.remove(); held.told.destroy(); root.hopFilm = null; root.replaceChildren(); };
}
