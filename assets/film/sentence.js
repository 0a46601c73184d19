// What just happened, in one sentence, with its round and the count of stops.

const SIZES = ["", "long", "longest"];      // of its letters, the largest first; `film.css` says what they are
const UNBROKEN = /(\d[\d.,]* %|\b[A-Z]+-[A-Z]+\b)/;  // what stays on one line

class Sentence {
  constructor() {
    this.box = element("div", "story");
    this.round = element("span", "round");
    this.caption = element("p", "caption");
    this.caption.setAttribute("aria-live", "polite");
    this.caption.dir = "auto";
    // What was just done stands over the count of stops: it covers nothing that is drawn or said.
    this.toast = new Toast();
    this.place = element("span", "place");
    const where = element("div", "where");
    where.append(this.toast.box, this.place);
    this.box.append(this.round, this.caption, where);
    this.room = "";
    this.letters = new Map();               // by sentence
  }

  // `place` says at which stop, and of how many.
  tell({ caption, means, round }, place) {
    this.place.textContent = place;
    this.caption.replaceChildren(...caption.split(UNBROKEN).map((part, i) => (i % 2 ? element("span", "unbroken", part) : part)));
    this.caption.title = means ?? "";
    this.round.textContent = caption.startsWith(round) ? "" : round;
    this.fit();
  }

  // The largest letters in which this sentence has room; its box is as tall for all of them, so that nothing moves.
  fit() {
    const { box, caption, letters, place } = this, told = `${this.round.textContent} ${caption.textContent} ${place.textContent}`;
    if (!box.clientWidth) return;
    if (!letters.has(told)) {
      const sized = (size) => { caption.className = `caption ${size}`.trim(); return caption.scrollHeight <= box.clientHeight + 1; };
      letters.set(told, SIZES.find(sized) ?? `${SIZES.at(-1)} scrolls`);
    }
    caption.className = `caption ${letters.get(told)}`.trim();
  }

  // Its room may have become another one; `look` is all else that the size follows.
  resized(look) {
    const room = `${this.box.clientWidth} ${this.box.clientHeight} ${look}`;
    if (room === this.room) return;
    this.room = room;
    this.letters.clear();
    this.fit();
  }
}
