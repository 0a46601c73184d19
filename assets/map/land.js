// The land of the regions, in a sea: soft outlines round what belongs together, made once and painted
// once per look into a picture, which is drawn scaled until the map is nearer than it is sharp.

const MAP_BOARD = 2000; // pixels of the picture, at most, either way

class MapLand {
  constructor(world) {
    this.world = world;
    this.small = world.openable && world.count <= 1500;
    this.wide = this.small ? 1 : 2.2;
    this.outlines = new Map();
    this.rim = this.small ? 17 : 10; // how far land reaches round what lies on it
    this.shores = [15, 36, 66].map(() => new Path2D());
    for (const top of world.tops) this.outlines.set(top, this.outline(top));
    this.board = null;
  }

  outline(top) {
    const { world } = this, path = new Path2D(), discs = [];
    if (this.small) for (const unit of world.members[top]) discs.push([world.units.x[unit], world.units.y[unit], world.units.radius[unit] + this.rim]);
    else for (const region of world.regions) if (region.top === top && !region.children.length) discs.push([region.x, region.y, region.radius * 1.06 + this.rim]);
    for (const [x, y, radius] of discs) {
      path.moveTo(x + radius, y);
      path.arc(x, y, radius, 0, 7);
      this.shores.forEach((shore, i) => { const far = radius + [15, 36, 66][i] * this.wide; shore.moveTo(x + far, y); shore.arc(x, y, far, 0, 7); });
    }
    discs.forEach((disc, i) => this.necks(path, disc, discs, i));
    return path;
  }

  // Discs of a region that are near grow together.
  necks(path, [x, y, radius], discs, own) {
    const near = discs.map(([a, b, r], i) => [Math.hypot(a - x, b - y) - r - radius, i]).filter(([, i]) => i !== own).sort((a, b) => a[0] - b[0]).slice(0, 3);
    for (const [gap, i] of near) {
      if (gap > radius * 2.2) continue;
      const [a, b, r] = discs[i], far = Math.hypot(a - x, b - y) || 1, nx = (b - y) / far, ny = (x - a) / far, one = radius * 0.86, other = r * 0.86;
      path.moveTo(x + nx * one, y + ny * one);
      path.lineTo(a + nx * other, b + ny * other);
      path.lineTo(a - nx * other, b - ny * other);
      path.lineTo(x - nx * one, y - ny * one);
      path.closePath();
    }
  }

  paint(context, scale, colours, wanted) {
    const { dark } = colours;
    context.fillStyle = colours.soft;
    for (const i of [2, 1, 0]) { context.globalAlpha = [0.05, 0.035, 0.025][i]; context.fill(this.shores[i]); }
    context.globalAlpha = 1;
    for (const top of this.world.tops) {
      if (wanted && !wanted(this.world.regions[top])) continue;
      const path = this.outlines.get(top);
      context.lineJoin = "round";
      context.strokeStyle = colours.tone(top, 1);
      context.globalAlpha = 0.5;
      context.lineWidth = Math.min(5 * this.wide, 4.5 / scale);
      context.stroke(path);
      context.globalAlpha = 1;
      context.fillStyle = colours.heat ? (dark ? "#1d2934" : "#f1f4f6") : colours.tone(top, 0);
      context.fill(path);
    }
  }

  draw(context, view, colours, pixels) {
    const [left, top, right, bottom] = this.world.bounds, margin = 140 * this.wide;
    const x = left - margin, y = top - margin, width = right - left + 2 * margin, height = bottom - top + 2 * margin;
    const look = `${colours.dark} ${Boolean(colours.heat)}`;
    if (!this.board || this.look !== look) {
      this.look = look;
      this.sharp = Math.min(MAP_BOARD / width, MAP_BOARD / height);
      this.board ??= document.createElement("canvas");
      this.board.width = Math.ceil(width * this.sharp);
      this.board.height = Math.ceil(height * this.sharp);
      const board = this.board.getContext("2d");
      board.setTransform(this.sharp, 0, 0, this.sharp, -x * this.sharp, -y * this.sharp);
      this.paint(board, this.sharp, colours);
    }
    if (view.scale * pixels < this.sharp * 1.9) context.drawImage(this.board, x, y, width, height);
    else this.paint(context, view.scale, colours, (region) => Math.abs(region.x - view.x) < view.width / 2 + region.radius + 60 && Math.abs(region.y - view.y) < view.height / 2 + region.radius + 60);
    if (this.small) return;
    context.lineWidth = 1 / view.scale;
    context.globalAlpha = 0.35;
    for (const region of this.world.regions) {
      if (region.children.length || region.radius * view.scale < 24 || Math.abs(region.x - view.x) > view.width / 2 + region.radius || Math.abs(region.y - view.y) > view.height / 2 + region.radius) continue;
      context.strokeStyle = colours.tone(region.top, 1);
      context.beginPath();
      context.arc(region.x, region.y, region.radius, 0, 7);
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}
