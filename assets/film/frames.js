// The frames of a film, unpacked: each is the one before it with a merge patch applied (RFC 7396).
// What a patch does not touch stays the same object, so that a list that did not change is known.

function patched(target, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const base = target !== null && typeof target === "object" && !Array.isArray(target) ? target : {};
  const made = Object.assign(Object.create(null), base);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete made[key];
    else made[key] = patched(made[key], value);
  }
  return made;
}

function unpacked({ first, patches }) {
  const frames = [first];
  for (const patch of patches) frames.push(patched(frames.at(-1), patch));
  return frames;
}
