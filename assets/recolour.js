// Charts are drawn by the server in the colours of a theme. It learns that another one was chosen only as it runs next:
// so it is told, once for each change.

export default function ({ data, parentElement, setTriggerValue }) {
  const theme = isDark(parentElement.host ?? parentElement) ? "dark" : "light";
  document.documentElement.dataset.hopTheme = theme; // a chart on paper is light
  if (theme === data.theme) globalThis.__hopTheme = theme;
  if (theme === globalThis.__hopTheme) return;
  globalThis.__hopTheme = theme;
  setTriggerValue("theme", theme);
}
