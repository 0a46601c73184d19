// A note is handed over while it is typed: as Ctrl+Enter does it, which keeps the focus and what is typed on.
// Until the server says that it has a text, the browser keeps it as a draft; one that a window left behind is
// offered to the server when its result is shown again.

const REST = 1000, MOST = 2000; // milliseconds after the last key, and after the first that was not handed over
const ABANDONED = 10000; // milliseconds after which the draft of another window is no longer being typed
const DRAFT = "hop-note";

const typedHere = new Set(), offered = new Set(); // what drafts are about
let shown = null; // what the note is about that was shown last, null behind another page
let about = null; // what the server last said of the note that is shown
let note = null, later = 0, since = 0; // what is being typed
let now = {}; // the last that was mounted

// Storage may be shut off: a draft is then not kept.
function stored(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

// A window is told by what outlives its reload.
const tab = stored(() => (sessionStorage.hopTab ??= Math.random().toString(36).slice(2))) ?? "";
const place = (data) => `${DRAFT} ${data.about}`;
const own = (data) => `${place(data)} ${tab}`;
const read = (key) => stored(() => JSON.parse(localStorage.getItem(key)));
const keep = (key, draft) => stored(() => localStorage.setItem(key, JSON.stringify(draft)));
const drop = (key) => stored(() => localStorage.removeItem(key));

// The draft of this window, or one that another has left.
function left(data) {
  const mine = read(own(data));
  if (mine) return mine;
  const others = stored(() => Object.keys(localStorage)) ?? [];
  for (const key of others.filter((one) => one.startsWith(`${place(data)} `))) {
    const draft = read(key);
    if (!draft || Date.now() - draft.at < ABANDONED) continue;
    drop(key);
    keep(own(data), draft);
    return draft;
  }
  return null;
}

// What the server has, or was told to forget, is no draft any more; what goes on is written over what it has.
function follow(data, offer) {
  const draft = read(own(data)), returns = shown !== data.about;
  shown = data.about;
  if (draft && [data.kept, data.dropped].includes(draft.text)) drop(own(data));
  else if (typedHere.has(data.about) && !returns) {
    if (draft) keep(own(data), { ...draft, over: data.over });
  } else if (returns || !offered.has(data.about)) {
    offered.add(data.about);
    const found = left(data);
    if (found) offer("draft", { about: data.about, text: found.text, over: found.over, sent: found.sent });
  }
}

const mine = (field) => field.matches?.("textarea") && field.closest(`.st-key-${about.field}`);

function save() {
  clearTimeout(later);
  const draft = note && mine(note) && read(own(about));
  if (draft) keep(own(about), { ...draft, sent: [...draft.sent.slice(-2), note.value] });
  note?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true }));
  note = null;
}

function typed({ target, isComposing }) {
  if (!mine(target)) return;
  clearTimeout(later);
  if (note !== target) since = performance.now();
  note = target;
  typedHere.add(about.about);
  if (target.value === about.kept) drop(own(about));
  else keep(own(about), { text: target.value, over: about.over, sent: read(own(about))?.sent ?? [], at: Date.now() });
  if (!isComposing) later = setTimeout(save, Math.min(REST, Math.max(0, since + MOST - performance.now())));
}

const leaves = () => { if (document.hidden) save(); };
const HEARD = [[document, "input", typed], [document, "compositionend", typed], [document, "visibilitychange", leaves], [window, "beforeunload", save]];

export default function ({ data, setTriggerValue }) {
  about = data;
  follow(data, setTriggerValue);
  for (const [where, what, act] of HEARD) where.addEventListener(what, act, true); // once, however often it is said
  const turn = (now = {});
  return () => {
    if (turn !== now) return; // the note of another result is shown already
    save();
    shown = null;
    for (const [where, what, act] of HEARD) where.removeEventListener(what, act, true);
  };
}
