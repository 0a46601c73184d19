// All of the page is no stop of the Tab key: nobody would see where the keys are. What is in it is, and a click or the
// link past the menus still gives it the keys, to scroll. Who clicked knows where they are: only the link is told.

const CLICK = 500; // milliseconds from a press to the focus that it gives

export default function () {
  const main = document.querySelector("[data-testid='stMain']");
  if (!main) return;
  main.setAttribute("tabindex", "-1");
  let pressed = -CLICK;
  const clicked = (is) => main.toggleAttribute("data-hop-clicked", is);
  main.onpointerdown = () => {
    pressed = performance.now();
    if (document.activeElement === main) clicked(true);
  };
  main.onfocus = () => clicked(performance.now() - pressed < CLICK);
}
