// What the browser tests of the walkthrough measure.

const drawn = (of) => of.getBoundingClientRect().height > 0;

globalThis.boxes = () =>
  Object.fromEntries(
    [...document.querySelectorAll(".picture [data-key]")].map((of) => {
      const { x, y, width, height } = of.getBoundingClientRect();
      return [of.dataset.key, [x, y, width, height].map(Math.round)];
    }),
  );

const overlapping = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

const outside = (of, frame) => {
  const { left, right, top, bottom } = of.getBoundingClientRect();
  return left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1;
};

const isCut = (told) =>
  getComputedStyle(told).display !== "inline" && (told.scrollWidth > told.clientWidth + 1 || (told.matches(".headline") && told.scrollHeight > told.clientHeight + 2));

// Cards that overlap, parts outside of the stage, and words that are cut where they have to be read.
globalThis.troubles = () => {
  const stage = document.querySelector(".stage");
  const frame = stage.getBoundingClientRect();
  const cards = [...stage.querySelectorAll(".card")].filter(drawn);
  const pairs = cards.flatMap((one, n) => cards.slice(n + 1).map((other) => [one, other]));
  const read = document.querySelectorAll(".headline, .card h4 .name, .score, .timeline [aria-current] span");
  return [
    ...pairs.filter(([a, b]) => overlapping(a.getBoundingClientRect(), b.getBoundingClientRect())).map(([a, b]) => `overlap: ${a.innerText} | ${b.innerText}`),
    ...[...stage.querySelectorAll(".card, .edge, .step, .rest")].filter((of) => drawn(of) && outside(of, frame)).map((of) => `outside: ${of.innerText}`),
    ...[...read].filter((of) => drawn(of) && isCut(of)).map((of) => `cut: ${of.innerText}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : []),
  ];
};

// Parts of a chain's picture that overlap, or lie outside of it.
globalThis.chainTroubles = () => {
  const frame = document.querySelector(".picture").getBoundingClientRect();
  const parts = [...document.querySelectorAll(".said > *, .chain .card, .as-column .step, .fixes, .map, .timeline")].filter(drawn);
  const pairs = parts.flatMap((one, n) => parts.slice(n + 1).map((other) => [one, other]));
  return [
    ...pairs.filter(([a, b]) => overlapping(a.getBoundingClientRect(), b.getBoundingClientRect())).map(([a, b]) => `overlap: ${a.innerText} | ${b.innerText}`),
    ...parts.filter((of) => outside(of, frame)).map((of) => `outside: ${of.innerText}`),
  ];
};

// Words of the stage that are cut at an edge, or broken over two lines.
globalThis.brokenText = () => {
  const stage = document.querySelector(".stage");
  const frame = stage.getBoundingClientRect();
  const texts = [...stage.querySelectorAll(".chain *")].filter((of) => hasText(of) && drawn(of));
  const boxed = [...stage.querySelectorAll(".chain :is(.name, .body, q, p, small, footer)")].filter(drawn);
  const words = texts.flatMap((of) => [...of.childNodes].filter((node) => node.nodeType === 3).flatMap(wordsOf));
  return [
    ...texts.filter((of) => outside(of, frame)).map((of) => `outside: ${of.innerText}`),
    ...boxed.filter((of) => of.scrollWidth > of.clientWidth + 1 || of.scrollHeight > of.clientHeight + 3).map((of) => `cut: ${of.innerText}`),
    ...words.filter((word) => word.getClientRects().length > 1).map((word) => `broken: ${word}`),
  ];
};

const wordsOf = (node) =>
  [...node.data.matchAll(/[\p{L}\p{N}']+/gu)].map(({ index, 0: word }) => {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    return range;
  });

// Of the graph: nodes and names of gold that overlap, and nodes outside of it.
globalThis.graphTroubles = () => {
  const frame = document.querySelector(".columns").getBoundingClientRect();
  const marks = [...document.querySelectorAll(".columns .mark")], names = [...document.querySelectorAll(".node.gold .name")];
  const parts = [...marks, ...names].map((of) => [of, of.getBoundingClientRect()]);
  const pairs = parts.flatMap(([one, a], n) => parts.slice(n + 1).filter(([, b]) => overlapping(a, b)).map(([other]) => [one, other]));
  return [
    ...pairs.map(([one, other]) => `overlap: ${one.parentNode.innerText} | ${other.parentNode.innerText}`),
    ...marks.filter((of) => outside(of, frame)).map((of) => `outside: ${of.parentNode.innerText}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : []),
  ];
};

const hasText = (of) => [...of.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

globalThis.smallestLetter = () =>
  Math.min(
    ...[...document.querySelectorAll(".picture *")].filter((of) => hasText(of) && drawn(of)).map((of) => Number.parseFloat(getComputedStyle(of).fontSize)),
  );
