// What the browser has laid out, as a PNG file.

import { domToCanvas } from "modern-screenshot";
import { download, el } from "./dom.js";

const SHARPER = 2;
const MARGIN = 12;

/** An empty sheet of the colour that is drawn on. @param {HTMLElement} root @param {number} width @param {number} height */
export function sheetOf(root, width, height) {
  const canvas = /** @type {HTMLCanvasElement} */ (el("canvas", { width, height }));
  const paint = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  paint.fillStyle = getComputedStyle(root).getPropertyValue("--paper").trim() || "#ffffff";
  paint.fillRect(0, 0, width, height);
  return { canvas, paint };
}

/**
 * Save elements, one below the other, as a picture.
 *
 * @param {HTMLElement} root has the colours of the style sheet
 * @param {HTMLElement[]} parts
 * @param {string} title of the file
 */
export async function savePicture(root, parts, title) {
  const width = Math.max(...parts.map((part) => part.scrollWidth)) + 2 * MARGIN;
  const height = parts.reduce((sum, part) => sum + part.scrollHeight + MARGIN, MARGIN);
  const { canvas, paint } = sheetOf(root, SHARPER * width, SHARPER * height);
  let top = MARGIN;
  for (const part of parts) {
    const size = { width: part.scrollWidth, height: part.scrollHeight };
    const drawn = await domToCanvas(part, { ...size, scale: SHARPER, style: { overflow: "visible" } });
    paint.drawImage(drawn, SHARPER * MARGIN, SHARPER * top);
    top += size.height + MARGIN;
  }
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  download(/** @type {Blob} */ (blob), `${title}.png`);
}
