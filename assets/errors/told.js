// What the last act did: the line is there from the beginning, so that a reader speaks what comes into it.

export default function ({ data, parentElement }) {
  const line = parentElement.querySelector("p");
  if (line.textContent !== data.told) line.textContent = line.title = data.told;
}
