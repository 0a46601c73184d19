// Names on several lines: where they are broken, and what of them is written where not all fits.

const LONG_WORD = 9;                        // in heights of a letter: from here on a word is cut in two
const BREAK = /\s+|(?<=[-‐–/])(?=\S)|$/g;

// A name on at most so many lines of at most so many pixels, between its words; what is left over is cut.
function nameLines(text, wide, most, font) {
  const fits = (words) => measure(words, font) + 4 <= wide, found = [];
  let rest = text.trim();
  while (rest && found.length < most - 1 && !fits(rest)) {
    const line = wordsOf(rest, fits) ?? lettersOf(rest, fits);
    if (!line) break;
    found.push(line.trim());
    rest = rest.slice(line.length).trim();
  }
  if (!rest || fits(rest)) return rest ? [...found, rest] : found;
  const cut = cutTo(rest, fits);
  if (atEnd(cut, rest) || !found.length) return [...found, cut];
  const before = `${found.at(-1)} ${rest}`, dotted = cutTo(before, fits);  // rather than within a word
  return atEnd(dotted, before) ? [...found.slice(0, -1), dotted] : [...found, cut];
}

// How narrow a name can be on so many lines without a word cut in two, but for very long ones.
function narrowest(text, lines, font, px) {
  const words = text.split(BREAK).map((word) => Math.min(LONG_WORD * px, measure(word, font)) + 4);
  let [low, high] = [Math.max(...words), Math.max(...words, measure(text, font) + 4)];
  while (high - low > 2) {
    const middle = (low + high) / 2;
    if (nameLines(text, middle, 9, font).length <= lines) high = middle;
    else low = middle;
  }
  return high + 1;  // what is added up of such widths may be a little less
}

// As many words as fit, if one does.
function wordsOf(text, fits) {
  const ends = [...text.matchAll(BREAK)].map(({ index }) => index).filter((end) => end > 0 && fits(text.slice(0, end)));
  return ends.length ? text.slice(0, ends.at(-1)) : null;
}

// As many letters of a word as fit, if it is too long for two lines: a script may have no spaces.
function lettersOf(text, fits) {
  const [{ index }] = [...text.matchAll(BREAK)].filter(({ index }) => index > 0), letters = someOf(text.slice(0, index), fits);
  return fits(text.slice(letters.length, index)) ? null : letters;
}

function cutTo(text, fits) {
  const behind = [TELLING, / · \d+$/].map((end) => end.exec(text)?.[0] ?? "").find((end) => fits(`…${end}`)) ?? "";
  const before = text.slice(0, text.length - behind.length);
  const some = someOf(before, (part) => fits(`${part}…${behind}`));
  return `${atWord(some, before[some.length])}…${behind}`;
}

// Whether what is written of a name ends where one of its words does.
const atEnd = (cut, name) => !cut.endsWith("…") || /^(?:$|[\s.,;:])/.test(name.slice(cut.length - 1));

// One letter at least; what is read as one letter stays whole.
function someOf(text, fits) {
  const letters = Array.from(new Intl.Segmenter().segment(text.slice(0, 200)), ({ segment }) => segment);
  let [low, high] = [1, letters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(letters.slice(0, middle).join(""))) low = middle;
    else high = middle - 1;
  }
  return letters.slice(0, low).join("");
}
