// The neighbourhood as a component of the application: what is selected is sent to Python, which decides.

import { withKey } from "../page/streamlit_dom.js";
import { isDark } from "../common/theme.js";
import { Explorer } from "./explorer.js";

/** @import { PageKeys } from "./explorer.js" */
/** @import { What } from "../graph/node_columns.js" */

/** Press a button of the page. @param {string} name */
const pressed = (name) => () => {
  const found = document.querySelector(`${withKey(`explore_${name}`)} button:not(:disabled)`);
  if (found instanceof HTMLElement) found.click();
};
const search = () => {
  const field = document.querySelector(`${withKey("explore_find")} input`);
  if (field instanceof HTMLInputElement) field.select();
};

/** What the page hears besides the drawing; `c` and `r` are Streamlit's. @type {PageKeys} */
const PAGE = {
  "Selected passage": {
    e: ["Expand it, or show more neighbours", pressed("expand")],
    x: ["Collapse it", pressed("collapse")],
    m: ["Make it the centre", pressed("centre")],
  },
  Page: { b: ["Go back one step", () => history.back()], "/": ["Search passages", search] },
};

/** @param {What | null} what */
const elementOf = (what) =>
  what && ("node" in what ? { kind: "node", id: what.node } : { kind: "edge", id: what.edge });

/** @param {{ data: any, parentElement: HTMLElement, setTriggerValue: (name: string, value: any) => void }} component */
export default function mount({ data, parentElement, setTriggerValue }) {
  const root =
    /** @type {HTMLElement & { hopExplorer?: { explorer: Explorer, drawn: string, saved: number } | null }} */ (
      parentElement.querySelector(".explore")
    );
  const hooks = {
    pick: (/** @type {What | null} */ what) =>
      setTriggerValue("done", { name: "pick", value: elementOf(what) }),
    open: (/** @type {string} */ value) => setTriggerValue("done", { name: "open", value }),
    keys: PAGE,
  };
  root.hopExplorer ??= { explorer: new Explorer(root, hooks), drawn: "", saved: data.saved };
  const held = root.hopExplorer;
  held.explorer.hooks = hooks;
  root.classList.toggle("dark", isDark(root));
  if (held.drawn === data.drawn) held.explorer.select(data.selected);
  else held.explorer.load(JSON.parse(data.drawn), data.selected);
  held.drawn = data.drawn;
  if (held.saved !== data.saved) held.explorer.save();
  held.saved = data.saved;
  Object.assign(globalThis, { __hopExplorer: held.explorer });
  return () => {
    held.explorer.destroy();
    root.hopExplorer = null;
  };
}
