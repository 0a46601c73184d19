// Keys that press the buttons of the Errors page, and the reviewer's name, which the browser keeps.

const BUTTONS = { j: "errors_next", k: "errors_before", y: "errors_pass", x: "errors_fail", d: "errors_defer", g: "errors_unjudged", ".": "errors_again", u: "errors_undo", U: "errors_redo" };
const TYPING = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";
const TURNS = "jkg.";
const YEAR = 31536000; // seconds
const LONGEST = 20000, SETTLED = 1500, LOOK = 40; // milliseconds

// Between a key that turns to another result and that result, keys wait: they are meant for it.
const waiting = [];
let left = null; // the result that was turned away from, and when

const result = () => document.querySelector("[class*='st-key-errors_note_']")?.className;
const running = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "running";

function arrived() {
  if (left && performance.now() - left.at > LONGEST) {
    left = null;
    waiting.length = 0;
  }
  const long = left && performance.now() - left.at > SETTLED; // whatever was turned to, it is there
  if (left && (long || result() !== left.of) && !running()) left = null;
  return !left;
}

function meant(key) {
  if (BUTTONS[key]) return document.querySelector(`.st-key-${BUTTONS[key]} button`);
  if (/^[0-9]$/.test(key)) return document.querySelectorAll(".st-key-errors_labels button")[(+key + 9) % 10];
  return null;
}

// Where there is no name yet it is asked for, and the keys of what is kept under it lead there.
const name = () => document.querySelector(".st-key-errors_typed input");
const needsName = (key) => name() && /^[vyxdnguU.0-9]$/.test(key);

// What says why a key does nothing: one that does nothing and says nothing seems broken.
let refuse = () => {};

// Whether the key is one of this page, and then it is done.
function done(key) {
  if (needsName(key) || unlabelled(key) || unrepeated(key) || unredone(key)) {
    name()?.focus();
    refuse(key);
    return true;
  }
  const note = key === "n" && document.querySelector("[class*='st-key-errors_note'] textarea");
  const button = note || meant(key);
  if (!button || button.disabled) return !!button; // it is this page's key, though there is nothing to do
  if (note) {
    note.focus();
    note.setSelectionRange(note.value.length, note.value.length);
  } else {
    if (TURNS.includes(key) && (key !== "." || repeatTurns())) left = { of: result(), at: performance.now() };
    button.click();
  }
  return true;
}

// What has a verdict is left as it is, and the next without one is looked for.
function repeatTurns() {
  const judged = document.querySelector(".st-key-errors_verdicts button[kind=primary]");
  return !meant(judged ? "g" : "j").disabled;
}

// What is typed behind the key of the note is meant for the note, which is not there yet: no verdict.
function waits(key) {
  if (waiting.includes("n")) return true;
  if (key !== "n" && !meant(key) && !/^[0-9]$/.test(key) && !needsName(key)) return false;
  waiting.push(key);
  return true;
}

function next() {
  while (waiting.length && arrived()) done(waiting.shift());
}

// Whether a digit was pressed where no label has it.
function unlabelled(key) {
  return /^[0-9]$/.test(key) && !meant(key) && document.querySelector(".st-key-errors_labels, .st-key-errors_new_label");
}

// Whether there is no verdict yet that could be given again.
const unrepeated = (key) => key === "." && meant(key)?.disabled;

// Once a choice is made the keys are the page's again: in its field they would be words to search the choices by.
const MENU = "[role=combobox]";
function chosen({ target }) {
  if (target.closest?.("[role=option]")) setTimeout(() => document.activeElement?.matches(MENU) && document.activeElement.blur());
}

// Whether nothing was undone that could be done again.
const unredone = (key) => key === "U" && meant(key)?.disabled;

// While the server is away the fields are shut and lose the keys: what is typed on is of the field, and no verdict. The
// field has the keys again as soon as it is open.
const connected = () => document.querySelector('[data-testid="stApp"]')?.dataset.testConnectionState === "CONNECTED";
const field = (one) => one?.matches?.(TYPING) ? one : null;
const idle = () => [document.body, null, shut].includes(document.activeElement);
let wrote = null, shut = null; // the field that has the keys, and one that was shut under them

function closed() {
  if (wrote?.disabled) [shut, wrote] = [wrote, null];
  if (shut && !idle()) shut = null; // the keys were given to something else
  if (!shut || shut.disabled || !connected()) return !!shut;
  const { className } = shut.closest("[class*='st-key-']") ?? {};
  const open = shut.isConnected ? shut : document.getElementsByClassName(className ?? "")[0]?.querySelector(TYPING);
  shut = null;
  open?.focus();
  return false;
}

function entered({ target }) {
  wrote = field(target);
}

function parted({ target, relatedTarget }) {
  if (target === wrote && !target.disabled) wrote = field(relatedTarget);
}

let stop = () => {};

export default function ({ data, setTriggerValue }) {
  stop(); // another name was given: the keys are heard once
  if (data.name) document.cookie = `${data.cookie}=${encodeURIComponent(data.name)}; path=/; max-age=${YEAR}; SameSite=Strict`;
  refuse = (key) => setTriggerValue("refused", key);
  const press = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const typing = event.composedPath()[0]?.closest?.(TYPING);
    if (closed() || (!connected() && !typing && (BUTTONS[event.key] || /^[n0-9]$/.test(event.key)))) {
      if (event.key === "Escape") shut = null;
      if (event.key.length > 1) return; // a key that leads on, as Tab
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (typing) {
      // A choice is said by Enter; the next key is a key again. Behind a label comes the next one, until Escape.
      const said = event.key === "Enter" && (typing.matches(MENU) || typing.closest(".st-key-errors_row"));
      if (event.key === "Escape") typing.blur();
      else if (said) setTimeout(() => typing.blur());
      return;
    }
    next();
    if (arrived() ? !done(event.key) : !waits(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  // On the window, before what hears the keys of a film.
  const heard = [["keydown", press], ["click", chosen], ["focusin", entered], ["focusout", parted]];
  for (const [what, act] of heard) window.addEventListener(what, act, true);
  const timer = setInterval(() => { closed(); next(); }, LOOK);
  return stop = () => {
    clearInterval(timer);
    for (const [what, act] of heard) window.removeEventListener(what, act, true);
  };
}
