// The film as a page of its own: it needs nothing but this file.

const root = document.querySelector(".film");
root.classList.add("alone");
const film = JSON.parse(document.getElementById("data").textContent);
const shade = matchMedia("(prefers-color-scheme: dark)");
const lights = () => root.classList.toggle("dark", shade.matches);
lights();
shade.addEventListener("change", lights);
const wanted = placeOf(location.hash.slice(1));
const playing = new Film(root, { moved: ({ stop, grain }) => history.replaceState(null, "", `#stop=${stop}&grain=${grain}`) });
playing.load(film, { ...wanted, t: wanted.t ?? 1, present: false });
globalThis.__hopFilm = playing;
