// All of the page is no stop of the Tab key: nobody would see where the keys are. What is in it is, and a click or the
// link past the menus still gives it the keys, to scroll.

export default function () { document.querySelector("[data-testid='stMain']")?.setAttribute("tabindex", "-1"); }
