// What hands do to a drawing: pick, hover, drag a node, move the ground, zoom with the wheel. The page keeps
// its own wheel until the drawing was pressed or a key for zooming is held.

const SLIPS = 4;                            // pixels that a press may move and still be a click

class Hands {
  constructor(drawing) {
    this.drawing = drawing;
    const { svg, on } = drawing;
    svg.addEventListener("click", ({ target }) => { if (!this.slid) drawing.pick(this.meant(target)); });
    svg.addEventListener("pointermove", (event) => this.hover(event));
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    svg.addEventListener("pointerleave", () => { this.engaged = false; on.hover?.(null); });
  }

  meant(target) {
    const of = target.closest?.("[data-node],[data-line],[data-group],[data-of]");
    if (!of) return null;
    const { node, line, group, of: label } = of.dataset;
    if (group !== undefined) return { kind: "group", of: +group };
    return line !== undefined ? { kind: "line", of: +line } : { kind: "node", of: +(node ?? label) };
  }

  hover(event) {
    if (this.grip) return;
    const what = this.meant(event.target), box = this.drawing.holder.getBoundingClientRect();
    this.drawing.on.hover?.(what?.kind === "group" ? null : what, this.within(event, box));
  }

  within({ clientX, clientY }, { left, top }) {
    const own = (distance) => ownPixels(this.drawing.holder, distance);
    return { x: own(clientX - left), y: own(clientY - top) };
  }

  turn(event) {
    if (!event.ctrlKey && !event.metaKey && !this.engaged) return;
    event.preventDefault();
    const box = this.drawing.svg.getBoundingClientRect();
    this.drawing.zoomBy(Math.exp(-event.deltaY / 400), this.within(event, box));
  }

  press(event) {
    if (event.button) return;
    this.engaged = true;
    this.slid = false;
    const what = this.meant(event.target), start = { x: event.clientX, y: event.clientY };
    const slide = what?.kind === "node" ? this.drawing.dragging(what.of) : this.drawing.panning();
    const move = ({ clientX, clientY }) => {
      const { x: dx, y: dy } = this.within({ clientX, clientY }, { left: start.x, top: start.y });
      if (!this.slid && Math.hypot(dx, dy) < SLIPS) return;
      this.slid = this.grip = true;
      slide(dx, dy);
    };
    const end = () => {
      removeEventListener("pointermove", move);
      this.grip = false;
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end, { once: true });
    addEventListener("pointercancel", end, { once: true });
  }
}
