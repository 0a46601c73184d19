// A note is handed over while it is typed: as Ctrl+Enter does it, which keeps the focus and what is typed on.
// Until the server says that it has a text, the browser keeps it as a draft. One that was left behind, by Back, by a
// window that was closed or by a server that went away, is offered to the server as soon as this page is open again,
// whichever result it shows. A sign below the field says what is saved.

const REST = 1000, MOST = 2000; // milliseconds after the last key, and after the first that was not handed over
const ABANDONED = 10000; // milliseconds after which the draft of another window is no longer being typed
const DRAFT = "hop-note";

const SIGN = 300; // milliseconds between two looks at the server
const LATE = 4000; // milliseconds in which a text that was handed over is saved, or has not reached the server
const AWAY = "Kept in this browser; not saved on the server yet";
const KEPT = "The server is not responding. Your note is saved as soon as it responds.";

const typedHere = new Set(), offered = new Set(); // what drafts are about
const handed = new Set(); // drafts of other results, by key and text
let shown = null; // what the note is about that was shown last, null behind another page
let session = null; // of the server that has shown it
let about = null; // what the server last said of the note that is shown
let note = null, later = 0, since = 0; // what is being typed
let pending = null; // what the note is about that was typed last, and its text, until the server has it
let again = 0; // the next look for drafts of other windows
let saved = null; // the text of this result that was saved last while it was shown, and when
let missed = null; // a text that was not saved when it was handed over
let sent = Infinity, away = false; // when it was handed over, and whether the server was away since
let now = {}; // the last that was mounted
let here = ""; // the path of the page

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

// The drafts of this index and reviewer that this window or another has left; the key tells whose.
function all(data) {
  const [index, , , , reviewer] = JSON.parse(data.about);
  return (stored(() => Object.keys(localStorage)) ?? []).filter((one) => one.startsWith(`${DRAFT} `)).flatMap((key) => {
    const draft = read(key), end = key.lastIndexOf(" ");
    const of = stored(() => JSON.parse(key.slice(DRAFT.length + 1, end)));
    if (!draft || !of || of[0] !== index || of[4] !== reviewer) return [];
    return [{ key, about: key.slice(DRAFT.length + 1, end), own: key.slice(end + 1) === tab, draft }];
  });
}

const abandoned = ({ draft }) => Date.now() - draft.at >= ABANDONED;

// The draft of this window for the result that is shown, or one that another has left.
function left(data, drafts) {
  const mine = read(own(data));
  if (mine) return mine;
  const other = drafts.find((one) => one.about === data.about && abandoned(one));
  if (!other) return null;
  drop(other.key);
  keep(own(data), other.draft);
  return other.draft;
}

// What was left of other results is offered once.
function elsewhere(data, drafts) {
  const found = drafts.filter((one) => one.about !== data.about && (one.own || abandoned(one)));
  const fresh = found.filter(({ key, draft }) => !handed.has(key + draft.text));
  fresh.forEach(({ key, draft }) => handed.add(key + draft.text));
  return fresh.map(({ about, draft }) => ({ about, ...draft }));
}

// What the server has, or was told to forget, is no draft any more; what goes on is written over what it has.
function follow(data, offer) {
  const drafts = all(data), draft = read(own(data)), returns = shown !== data.about || session !== data.session;
  for (const { key, about, draft } of drafts) if (data.settled[about] === draft.text && about !== data.about) drop(key);
  shown = data.about;
  session = data.session;
  const found = elsewhere(data, drafts.filter(({ about, draft }) => data.settled[about] !== draft.text));
  if (isPending(data.kept, data) || isPending(data.dropped, data)) pending = null;
  if (draft && [data.kept, data.dropped].includes(draft.text)) drop(own(data));
  else if (typedHere.has(data.about) && !returns) {
    if (draft) keep(own(data), { ...draft, over: data.over });
  } else if (returns || !offered.has(data.about)) {
    offered.add(data.about);
    const mine = left(data, drafts);
    if (mine) found.push({ about: data.about, ...mine });
  }
  if (found.length) offer("drafts", found);
  lookAgain(data, drafts, offer);
}

// A window that was closed a moment ago may still be open: whether it was is seen when it has kept silent for a while.
function lookAgain(data, drafts, offer) {
  clearTimeout(again);
  const young = drafts.filter((one) => !one.own && !abandoned(one)).map(({ draft }) => draft.at);
  if (!young.length) return;
  again = setTimeout(() => {
    if (!typedHere.has(data.about)) offered.delete(data.about);
    follow(data, offer);
  }, Math.min(...young) + ABANDONED - Date.now() + 100);
}

const isPending = (text, data = about) => pending?.about === data.about && pending.text === text;
const mine = (field) => field.matches?.("textarea") && field.closest(`.st-key-${about.field}`);

function save() {
  clearTimeout(later);
  const draft = note && mine(note) && read(own(about));
  if (draft) keep(own(about), { ...draft, sent: [...draft.sent.slice(-2), note.value] });
  if (note) sent = performance.now();
  note?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true }));
  note = null;
}

function typed({ target, isComposing }) {
  if (!mine(target)) return;
  clearTimeout(later);
  if (note !== target) since = performance.now();
  note = target;
  typedHere.add(about.about);
  pending = { about: about.about, text: target.value };
  if (target.value === about.kept) drop(own(about));
  else keep(own(about), { text: target.value, over: about.over, sent: read(own(about))?.sent ?? [], at: Date.now() });
  tell();
  if (!isComposing) later = setTimeout(save, Math.min(REST, Math.max(0, since + MOST - performance.now())));
}

const app = () => document.querySelector('[data-testid="stApp"]')?.dataset ?? {};
const shownField = () => document.querySelector(`.st-key-${about.field} textarea`);
const late = () => !note && app().testScriptState !== "running" && performance.now() - sent > LATE;

// What was handed over while nothing reached the server is lost on its way: Streamlit does not send it again. A field
// that nobody has typed in shows an older note for a moment after undo and redo: that is not handed over.
function retry() {
  const field = shownField();
  if (app().testConnectionState !== "CONNECTED") away = true;
  else if (note || !field || !isPending(field.value) || [about.kept, about.refused].includes(field.value)) away = false;
  else if (app().testScriptState !== "running" && (away || late())) {
    away = false;
    sent = performance.now();
    missed = field.value;
    const draft = read(own(about)) ?? { text: field.value, over: about.over, sent: [] };
    now.offer("drafts", [{ about: about.about, ...draft }]);
  }
}

// What is typed is saved or not; a text that nobody has touched says nothing.
function state() {
  const field = shownField();
  if (!field || !typedHere.has(about.about)) return "";
  if (field.value === about.kept) {
    if (saved?.text !== about.kept) saved = { text: about.kept, at: new Date() };
    return `Saved ${saved.at.toISOString().slice(11, 16)} UTC`; // as marks of gold tell who made them and when
  }
  if (about.refused === field.value) return "Not saved";
  if (!isPending(field.value)) return "";
  return app().testConnectionState !== "CONNECTED" || missed === field.value || late() ? AWAY : "Saving…";
}

// What is on its way is seen and not spoken: it would be said with every rest of the fingers.
function tell() {
  const [seen, spoken] = now.signs ?? [], said = state();
  if (!seen || seen.textContent === said) return;
  seen.textContent = said;
  seen.classList.toggle("hop-not-saved", said.startsWith("Not") || said === AWAY);
  seen.title = said === AWAY ? KEPT : "";
  if (said !== "Saving…") spoken.textContent = said && `Note: ${said}`;
}

const leaves = () => { if (document.hidden) save(); };

// Who goes Back leaves the page at once: what it handed over now would come from a page that is left, and stays a draft.
function goesBack() {
  if (location.pathname === here) return;
  clearTimeout(later);
  note = null;
}

const HEARD = [[document, "input", typed], [document, "compositionend", typed], [document, "visibilitychange", leaves], [window, "beforeunload", save], [window, "popstate", goesBack]];

export default function ({ data, parentElement, setTriggerValue }) {
  if (shown !== data.about) saved = null;
  about = data;
  here ||= location.pathname;
  follow(data, setTriggerValue);
  for (const [where, what, act] of HEARD) where.addEventListener(what, act, true); // once, however often it is said
  const turn = (now = { signs: parentElement.querySelectorAll("span"), offer: setTriggerValue });
  tell();
  const looks = setInterval(() => { retry(); tell(); }, SIGN);
  return () => {
    clearInterval(looks);
    if (turn !== now) return; // the note of another result is shown already
    save();
    clearTimeout(again);
    shown = null;
    here = "";
    for (const [where, what, act] of HEARD) where.removeEventListener(what, act, true);
  };
}
