// The neighbourhood as a component of the application: what is picked is sent to Python, which decides.

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".explore");
  const held = (root.hopExplorer ??= {});
  const send = (name) => (value) => setTriggerValue("done", { name, value });
  const hooks = { pick: send("pick"), open: send("open") };
  held.explorer ??= new Explorer(root, hooks);
  held.explorer.hooks = hooks;
  root.classList.toggle("dark", isDark(root));
  if (held.scene !== data.scene) {
    held.scene = data.scene;
    held.explorer.load(JSON.parse(data.scene), data.selected);
  } else {
    held.explorer.select(data.selected);
  }
  if ((held.saved ??= data.saved) !== data.saved) held.explorer.save();
  held.saved = data.saved;
  globalThis.__hopExplorer = held.explorer;
  return () => { held.explorer.destroy(); root.hopExplorer = null; };
}
