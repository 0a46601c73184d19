// The walkthrough as a component of the application. Its place is kept in the address by the
// browser alone; what is to be done in Python is sent there.

import { addressOfPlace, changed, isGraph, keepAddress, placeOfAddress } from "./address.js";
import { saveGif } from "./gif.js";
import { Player } from "./player.js";
import { SHOWN } from "./default_options.js";
import { isDark } from "../common/theme.js";

/** @import { WalkthroughData } from "../types/contract" */
/** @import { Place } from "./model.js" */
/** @import { Hooks, Options } from "../types/view" */

/**
 * @typedef {object} Mounted
 * @property {string} from names this window among all that show the page
 * @property {number} count
 * @property {{ number: number, name: string, value: unknown }[]} waiting acts that Python has not heard
 * @property {Player | null} player
 * @property {string} rev
 * @property {string} query
 * @property {Record<string, string | null>} moved the place that was gone to here, as its address has it
 * @property {CSSStyleSheet | null} told
 */

/** What stands below tells no more than has happened: see `.hop-arrival` in assets/style.css. */
function toldSheet() {
  const sheet = new CSSStyleSheet();
  sheet.insertRule(".hop-arrival.played .strip {}");
  document.adoptedStyleSheets.push(sheet);
  return sheet;
}

/** @param {CSSStyleSheet} sheet @param {number} t @param {number} last */
function tell(sheet, t, last) {
  const rule = /** @type {CSSStyleRule} */ (sheet.cssRules[0]);
  rule.style.setProperty("--hop-told", t < last ? String(t) : "");
  document.documentElement.classList.toggle("hop-early", t < last);
}

/** The keys are the walkthrough's once its question was asked. @param {HTMLElement} root @param {string} query */
function takeKeys(root, query) {
  const field = document.activeElement;
  const told = (/** @type {string} */ text) => text.trim().replace(/\s+/g, " ");
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  if (told(field.value) === told(query))
    /** @type {HTMLElement | null} */ (root.querySelector("button.play"))?.focus({ preventScroll: true });
}

/** @param {{ data: any, parentElement: HTMLElement, setTriggerValue: (name: string, value: unknown) => void }} component */
export default function mount({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLDialogElement & { hopWalkthrough?: Mounted | null }} */ (
    parentElement.querySelector(".walkthrough")
  );
  const held = (root.hopWalkthrough ??= {
    from: `${Date.now()} ${Math.random()}`,
    count: 0,
    waiting: [],
    player: null,
    rev: "",
    query: "",
    moved: {},
    told: null,
  });
  // Of many messages only the last arrives, so each tells all that Python has not heard yet.
  held.waiting = held.waiting.filter(({ number }) => number > (data.heard[held.from] ?? 0));
  const sheet = (held.told ??= toldSheet());
  /** @type {Hooks} */
  const hooks = {
    acts: data.acts,
    keys: data.keys,
    send: (name, value) => {
      held.count += 1;
      held.waiting.push({ number: held.count, name, value });
      setTriggerValue("done", { from: held.from, acts: [...held.waiting] });
    },
    moved: () => {
      if (!held.player) return;
      held.moved = addressOfPlace(held.player.data, held.player.place, held.player.options.graph);
      keepOnline(held.moved);
    },
    saveGif,
    presented: (on) => keepAddress({ present: on ? "1" : null }),
    told: (t, last) => tell(sheet, t, last),
  };
  const fresh = held.rev !== data.rev;
  const made = fresh ? JSON.parse(data.walkthrough) : held.player?.data;
  const search = searchFor(held, made);
  const options = {
    ...(held.player?.options ?? SHOWN),
    graph: isGraph(search),
    keeps: data.keeps,
    remark: data.remark,
    beside: data.beside,
  };
  root.classList.toggle("dark", isDark(root));
  const place = placeOfAddress(search, made, data.from_start);
  show(held, root, { fresh, made, place, rev: data.rev }, hooks, options);
  return () => {
    held.player?.destroy();
    tell(sheet, 1, 0);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    root.hopWalkthrough = null;
  };
}

/** Write a place into the address. @param {Record<string, string | null>} place */
function keepOnline(place) {
  // A new address makes a browser ask for the page's icon again: not where there is no network.
  if (navigator.onLine) keepAddress(place);
}

/**
 * The address to read the place from. With each run Streamlit writes the one that it knows, which
 * has the place at which the page was opened: for the same walkthrough, the place gone to since
 * then is put back.
 *
 * @param {Mounted} held
 * @param {WalkthroughData} made
 */
function searchFor(held, made) {
  const before = held.player?.data;
  if (before?.query !== made.query || before.retriever !== made.retriever) held.moved = {};
  const search = changed(location.search, held.moved);
  if (search !== changed(location.search, {})) keepOnline(held.moved);
  return search;
}

/**
 * @param {Mounted} held
 * @param {HTMLDialogElement} root
 * @param {{ fresh: boolean, made: WalkthroughData, place: Place, rev: string }} arrived
 * @param {Hooks} hooks
 * @param {Options} options
 */
function show(held, root, { fresh, made, place: asked, rev }, hooks, options) {
  // An audience sees the next question from its first stop on.
  const next = held.player?.options.presenting && held.query !== made.query;
  const place = next ? { ...asked, stop: 0 } : asked;
  held.rev = rev;
  if (!held.player) held.player = new Player(root, made, place, hooks, options);
  held.player.hooks = hooks;
  held.player.options = options;
  if (fresh) held.player.load(made, place);
  else held.player.show(false);
  if (fresh && held.query !== made.query) {
    held.query = made.query;
    takeKeys(root, made.query);
  }
  if (new URLSearchParams(location.search).get("present") === "1") held.player.present(true);
  Object.assign(globalThis, { __hopWalkthrough: held.player });
}
