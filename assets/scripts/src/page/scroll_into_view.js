// What a press leads to may be out of view: it is scrolled into view, once for each press.

import { isStill } from "../common/motion.js";
import { withKey } from "./streamlit_dom.js";

/** @import { ComponentArguments } from "../types/streamlit" */

const LATER = 250; // milliseconds in which the target may still be drawn

/** @param {ComponentArguments<{ name: string, presses: number, block: ScrollLogicalPosition }>} component */
export default function mount({ data }) {
  const handled = (globalThis.__hopScrolled ??= {});
  const before = handled[data.name] ?? 0;
  handled[data.name] = data.presses;
  if (data.presses <= before) return;
  const behavior = isStill() ? "auto" : "smooth";
  setTimeout(() => {
    document.querySelector(withKey(data.name))?.scrollIntoView({ block: data.block, behavior });
  }, LATER);
}
