// The walkthrough as a page of its own: it needs nothing but this file.

import { addressOfPlace, isGraph, placeOfAddress, written } from "./address.js";
import { SHOWN } from "./default_options.js";
import { Player } from "./player.js";

/** Read the walkthrough, which the page holds deflated and in base 64. @returns {Promise<any>} */
async function unpacked() {
  const packed = JSON.parse(document.getElementById("data")?.textContent ?? '""');
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/** @param {any} data */
function play(data) {
  const root = /** @type {HTMLDialogElement} */ (document.querySelector(".walkthrough"));
  const shade = matchMedia("(prefers-color-scheme: dark)");
  const lights = () => root.classList.toggle("dark", shade.matches);
  lights();
  shade.addEventListener("change", lights);
  root.classList.add("alone");
  const player = new Player(
    root,
    data,
    placeOfAddress(location.hash.slice(1), data, true),
    {
      acts: [],
      keys: [],
      send: () => {},
      moved: () =>
        history.replaceState(
          null,
          "",
          `#${new URLSearchParams(written(addressOfPlace(data, player.place, player.options.graph)))}`,
        ),
      presented: () => {},
      told: () => {},
    },
    { ...SHOWN, graph: isGraph(location.hash.slice(1)) },
  );
  Object.assign(globalThis, { __hopWalkthrough: player });
}

unpacked().then(play);
