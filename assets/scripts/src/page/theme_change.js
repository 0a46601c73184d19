// Charts are drawn by the server in the colours of a theme. It only learns of another theme when the
// page runs next, so it is told, once for each change.

import { isDarkBackground } from "../common/theme.js";

/** @import { ComponentArguments } from "../types/streamlit" */

/** @param {ComponentArguments<{ theme: string }>} component */
export default function mount({ data, parentElement, setTriggerValue }) {
  const element = parentElement instanceof ShadowRoot ? parentElement.host : parentElement;
  const theme = isDarkBackground(element) ? "dark" : "light";
  document.documentElement.dataset.hopTheme = theme; // a chart on paper is light
  if (theme === data.theme) globalThis.__hopTheme = theme;
  if (theme === globalThis.__hopTheme) return;
  globalThis.__hopTheme = theme;
  setTriggerValue("theme", theme);
}
