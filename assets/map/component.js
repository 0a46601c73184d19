// The map as a component of the application. It is mounted once and keeps its data; a second, small
// component tells it what to show, and tells Python what is chosen.

const MAPS = (globalThis.__hopMaps ??= new Map());

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".corpus-map-root");
  const slot = MAPS.get(data.name) ?? {};
  MAPS.set(data.name, slot);
  if (root.dataset.version !== data.version || !slot.map || slot.map.gone) {
    slot.map?.destroy();
    root.dataset.version = data.version;
    slot.map = new CorpusMapView(root, JSON.parse(data.map), (chosen) => slot.hear?.(chosen));
    slot.map.setDark(isDark(root));
    if (slot.said) slot.map.say(slot.said);
    globalThis.__hopMap = slot.map;
  } else slot.map.setDark(isDark(root));
  return () => { slot.map?.destroy(); delete root.dataset.version; };
}
