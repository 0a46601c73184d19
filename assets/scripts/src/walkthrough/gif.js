// A walkthrough as an animated GIF, drawn and encoded in the browser.

import { Encoder } from "modern-gif";
import { createContext, destroyContext, domToCanvas } from "modern-screenshot";
import { download } from "../common/dom.js";
import { readingTime, sequence } from "./model.js";
import { sheetOf } from "../common/picture_file.js";

/** @import { Player } from "./player.js" */

const WIDEST = 1200;
const MARGIN = 20;
/** What can be pressed in the page alone, and what speaks of the page below. */
const CONTROLS = ".tools button, .fixes button, .fixes .below";

/**
 * Draw every stop that the player shows, each as long as it takes to read, and download the file.
 *
 * @param {Player} player
 */
export async function saveGif(player) {
  if (player.root.ariaBusy === "true") return;
  player.root.ariaBusy = "true";
  try {
    download(await framesOf(player), `walkthrough-${player.data.retriever.replace(/\W+/g, "-")}.gif`);
  } catch (error) {
    const why = error instanceof Error ? error.message : "the browser could not draw it";
    player.tell({ told: `Could not make the GIF: ${why}. Save it as a story instead.` });
  } finally {
    player.root.ariaBusy = null;
  }
}

/** @param {Player} player @returns {Promise<Blob>} */
async function framesOf(player) {
  const { picture, data, place } = player;
  const { clientWidth, clientHeight } = picture;
  const scale = Math.min(1, WIDEST / clientWidth);
  const [width, height] = [clientWidth, clientHeight].map((side) => Math.round(side * scale) + 2 * MARGIN);
  const encoder = new Encoder({ width, height, maxColors: 255, looped: true });
  // Kept between frames, as it holds the fonts.
  const context = await createContext(picture, {
    scale,
    filter: (node) => !(node instanceof Element && node.matches(CONTROLS)),
    autoDestruct: false,
  });
  try {
    for (const [stop, number] of sequence(data, place.every).entries()) {
      player.load(data, { ...place, stop });
      const { canvas, paint } = sheetOf(player.root, width, height);
      paint.drawImage(await domToCanvas(context), MARGIN, MARGIN, width - 2 * MARGIN, height - 2 * MARGIN);
      await encoder.encode({ data: canvas, delay: readingTime(data, data.stops[number]) });
    }
  } finally {
    player.load(data, place);
    destroyContext(context);
  }
  return encoder.flush("blob");
}
