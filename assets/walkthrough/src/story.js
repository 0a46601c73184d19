// The walkthrough as a page of its own: it needs nothing but this file.

import { placeOfAddress } from "./address.js";
import { Player } from "./player.js";

const root = /** @type {HTMLDialogElement} */ (document.querySelector(".walkthrough"));
const data = JSON.parse(document.getElementById("data")?.textContent ?? "{}");
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
      history.replaceState(null, "", `#step=${player.address.step}${player.place.every ? "&every=1" : ""}`),
    presented: () => {},
    told: () => {},
  },
  { presenting: false, keeps: [], remark: ["", ""], beside: "" },
);
Object.assign(globalThis, { __hopWalkthrough: player });
