// What a press leads to may stand out of sight: it is brought there, once for each press.

export default function ({ data }) {
  const seen = (globalThis.__hopInSight ??= {});
  const before = seen[data.name] ?? 0;
  seen[data.name] = data.presses;
  if (data.presses <= before) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // What is shown may come after this one.
  setTimeout(() => {
    const shown = document.querySelector(`.st-key-${data.name}`);
    shown?.scrollIntoView({ block: data.block, behavior: calm ? "auto" : "smooth" });
  }, 250);
}
