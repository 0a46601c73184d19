// The film as a page of its own: it needs nothing but this file.

const root = document.querySelector(".film");
root.classList.add("alone");
const film = JSON.parse(document.getElementById("data").textContent);
const shade = matchMedia("(prefers-color-scheme: dark)");
const lights = () => root.classList.toggle("dark", shade.matches);
lights();
shade.addEventListener("change", lights);
const wanted = new URLSearchParams(location.hash.slice(1));
const playing = new Film(root, { moved: ({ t, grain }) => history.replaceState(null, "", `#t=${t}&grain=${grain}`) });
playing.load(film, { t: Number.parseInt(wanted.get("t"), 10) || 1, grain: wanted.get("grain") });
globalThis.__hopFilm = playing;
