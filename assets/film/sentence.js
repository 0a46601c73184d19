// What just happened, in one sentence, with its round and the count of stops.

const SIZES = ["", "long", "longest"];      // of its letters, the largest first; `film.css` says what they are
const UNBROKEN = /(\d[\d.,]* %|\b[A-Z]+-[A-Z]+\b)/;  // what stays on one line

// The round of a sentence that does not begin with it.
const besideCaption = ({ caption, round }) => (caption.startsWith(round) ? "" : round);

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
    this.least = 0;                         // place in `SIZES` of the letters of all
    this.rounded = true;                    // whether rounds are told
  }

  // `place` says at which stop, and of how many.
  tell({ caption, means, round }, place) {
    this.place.textContent = place;
    this.caption.replaceChildren(...caption.split(UNBROKEN).map((part, i) => (i % 2 ? element("span", "unbroken", part) : part)));
    this.caption.title = means ?? "";
    this.round.textContent = this.rounded ? besideCaption({ caption, round }) : "";
    this.fit();
  }

  // The largest letters in which this sentence has room, and all that are told in a show; its box is as tall for all of them, so
  // that nothing moves.
  fit() {
    const { box, caption, letters, place } = this, told = `${this.round.textContent} ${caption.textContent} ${place.textContent}`;
    if (!box.clientWidth) return;
    if (!letters.has(told)) {
      const sized = (size) => { caption.className = `caption ${size}`.trim(); return caption.scrollHeight <= box.clientHeight + 1; };
      const own = SIZES.findIndex(sized);
      letters.set(told, own < 0 ? SIZES.length : own);
    }
    const own = letters.get(told);
    caption.className = `caption ${own < SIZES.length ? SIZES[Math.max(own, this.least)] : `${SIZES.at(-1)} scrolls`}`.trim();
  }

  // Its room may have become another one; `look` is all else that the size follows. The frames of a `show` are told in letters of
  // one size, but for what is longer than any other size has room for. Its rounds are told where all stops between the question
  // and the result have one, so that sentences begin at one place.
  resized(look, show = []) {
    const room = `${this.box.clientWidth} ${this.box.clientHeight} ${look}`;
    if (room === this.room) return;
    this.room = room;
    this.letters.clear();
    this.least = 0;
    this.rounded = show.slice(1, -1).every(besideCaption);
    const { title } = this.caption, told = { caption: this.caption.textContent, means: title, round: this.round.textContent }, at = this.place.textContent;
    for (const frame of show) this.tell(frame, at);
    this.least = Math.min(SIZES.length - 2, Math.max(0, ...this.letters.values()));
    this.tell(told, at);
  }
}
