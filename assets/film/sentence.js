// What just happened, in one sentence, with its round and the count of stops.

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
    this.sizes = {};
  }

  // `at` is the stop of its grain, from 1, `of` how many there are; what is said is of all from `since` on.
  tell({ caption, means, round, t }, { since, at, of }) {
    this.caption.className = `caption ${this.sizes[t === this.end] ?? ""}`.trim();
    this.place.textContent = `${since < at ? `stops ${since} to ${at}` : `stop ${at}`} of ${of}`;
    this.caption.textContent = caption;
    this.caption.title = means ?? "";
    this.round.textContent = caption.startsWith(round) ? "" : round;
  }

  // One size for all of `frames`, beside the `widest` count of stops, and one for the end, which has most to say: the largest
  // letters in which the longest sentences have room. `look` is all else that the size follows; `tellNow` says again what is shown.
  size(frames, widest, look, tellNow) {
    const { box, caption } = this, room = `${box.clientWidth} ${box.clientHeight} ${look}`;
    if (room === this.sized || !box.clientWidth) return;
    this.sized = room;
    const told = [...frames].sort((a, b) => b.caption.length - a.caption.length);
    this.end = Math.max(...told.map(({ t }) => t));
    caption.setAttribute("aria-busy", "true");
    const fits = (frame) => { this.tell(frame, widest); return caption.scrollHeight <= box.clientHeight + 1; };
    for (const ends of [false, true]) {
      const own = told.filter(({ t }) => (t === this.end) === ends), longest = [...new Map(own.map((frame) => [frame.caption, frame])).values()].slice(0, 4);
      const fit = ["", "long", "longer", "longest"].some((size) => { this.sizes[ends] = size; return longest.every(fits); });
      if (!fit) this.sizes[ends] += " scrolls";
    }
    tellNow();
    caption.removeAttribute("aria-busy");
  }
}
