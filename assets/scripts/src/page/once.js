/**
 * Return a component that starts its script once in a page, however often Streamlit mounts it.
 *
 * @param {string} name of the script
 * @param {() => void} start
 */
export const once = (name, start) => () => {
  const started = (globalThis.__hopScripts ??= new Set());
  if (started.has(name)) return;
  started.add(name);
  start();
};
