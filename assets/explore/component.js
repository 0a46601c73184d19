// The neighbourhood as a component of the application: what is picked is sent to Python, which decides.

const pressed = (name) => () => document.querySelector(`.st-key-explore_${name} button:not(:disabled)`)?.click();
const search = () => document.querySelector(".st-key-explore_find input")?.select();

// What the page hears besides the drawing; `c` and `r` are Streamlit's.
const PAGE = [
  ["Passage that is picked", [["e", "Expand it, or show more of what it is joined to.", pressed("expand")], ["x", "Collapse it.", pressed("collapse")], ["m", "Make it the centre.", pressed("centre")]]],
  ["Page", [["b", "Go back one step.", () => history.back()], ["/", "Search passages.", search]]],
];

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".explore");
  const held = (root.hopExplorer ??= {});
  const send = (name) => (value) => setTriggerValue("done", { name, value });
  const hooks = { pick: send("pick"), open: send("open"), keys: PAGE };
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
