// What just happened, in one sentence, with its round and the count of stops.

const LONG_ONES = 6;                        // sentences of which one needs most room

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
    this.sized = "";
    this.letters = "";
  }

  // `at` is the stop of its grain, from 1, `of` how many there are; what is said is of all from `since` on.
  tell({ caption, means, round }, { since, at, of }) {
    this.caption.className = `caption ${this.letters}`.trim();
    this.place.textContent = `${since < at ? `stops ${since}–${at}` : `stop ${at}`} of ${of}`;
    this.caption.textContent = caption;
    this.caption.title = means ?? "";
    this.round.textContent = caption.startsWith(round) ? "" : round;
  }

  // One size for all of `frames`, beside the `widest` count of stops: the largest letters in which the longest sentences have
  // room. `look` is all else that the size follows; `tellNow` says again what is shown.
  size(frames, widest, look, tellNow) {
    const { box, caption } = this, room = `${box.clientWidth} ${box.clientHeight} ${look}`;
    if (room === this.sized || !box.clientWidth) return;
    this.sized = room;
    const told = new Map(frames.map((frame) => [frame.caption, frame])), longest = [...told.values()].sort((a, b) => b.caption.length - a.caption.length).slice(0, LONG_ONES);
    caption.setAttribute("aria-busy", "true");
    const fits = (frame) => { this.tell(frame, widest); return caption.scrollHeight <= box.clientHeight + 1; };
    const fit = ["", "long", "longer", "longest"].some((size) => { this.letters = size; return longest.every(fits); });
    if (!fit) this.letters += " scrolls";
    tellNow();
    caption.removeAttribute("aria-busy");
  }
}
