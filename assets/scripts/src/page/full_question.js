// A question that its field cuts off is shown in full below the field; one that fits is not repeated.

import { once } from "./once.js";
import { withKey } from "./streamlit_dom.js";

const FIELD = `${withKey("question_row")} input`;
const RETRY = 150; // milliseconds

export default once("full_question", () => {
  const questions = /** @type {HTMLCollectionOf<HTMLElement>} */ (
    document.getElementsByClassName("hop-whole")
  );
  let timer = 0;
  /** @type {HTMLInputElement | null} */
  let field = null;
  // The field may still have another text, or what is being typed: then it is looked at later, once.
  const compare = (/** @type {HTMLElement} */ question) => {
    if (field && field.value === question.textContent)
      question.dataset.cut = String(field.scrollWidth > field.clientWidth);
    else {
      clearTimeout(timer);
      timer = setTimeout(compareNew, RETRY);
    }
  };
  const compareAll = () => [...questions].forEach(compare);
  // While a page is laid out its field is narrower than in the end, and letters may be wider.
  const sizes = new ResizeObserver(compareAll);
  const compareNew = () => {
    /** @type {HTMLInputElement | null} */
    const shown = document.querySelector(FIELD);
    if (shown !== field) {
      sizes.disconnect();
      field = shown;
      if (field) sizes.observe(field);
    }
    for (const question of questions) if (!question.dataset.cut) compare(question);
  };
  const changes = new MutationObserver(() => requestAnimationFrame(compareNew));
  changes.observe(document.body, { childList: true, subtree: true });
  document.fonts.addEventListener("loadingdone", compareAll);
  compareNew();
});
