// Carries what Python says to the map, and what is chosen there to Python.

export default function ({ data, setTriggerValue }) {
  const maps = (globalThis.__hopMaps ??= new Map()), slot = maps.get(data.name) ?? {};
  maps.set(data.name, slot);
  slot.hear = (chosen) => setTriggerValue("chosen", chosen ?? { kind: "none", number: 0 });
  slot.said = JSON.parse(data.said);
  if (slot.map && !slot.map.gone) slot.map.say(slot.said);
}
