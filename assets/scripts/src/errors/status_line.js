// What the last action did. The line is there from the beginning, so that a screen reader speaks its
// new text.

/** @import { ComponentArguments } from "../types/streamlit" */

/** @param {ComponentArguments<{ told: string }>} component */
export default function mount({ data, parentElement }) {
  const line = parentElement.querySelector("p");
  if (line && line.textContent !== data.told) line.textContent = line.title = data.told;
}
