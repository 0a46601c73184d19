// A question that its field cuts stands below the field whole; one that the field shows is not said twice.

export default function () {
  if (globalThis.__hopWhole) return;
  globalThis.__hopWhole = true;
  const wholes = document.getElementsByClassName("hop-whole");
  let later = 0, field = null;
  // The field may have another text still, or what is being typed: then it is looked at later, once.
  const judge = (whole) => {
    if (field?.value === whole.textContent) {
      whole.dataset.cut = field.scrollWidth > field.clientWidth;
    } else {
      clearTimeout(later);
      later = setTimeout(judgeNew, 150);
    }
  };
  const judgeAll = () => { for (const whole of wholes) judge(whole); };
  // While a page is being laid out its field is narrower than in the end, and letters may be wider.
  const sizes = new ResizeObserver(judgeAll);
  const judgeNew = () => {
    const now = document.querySelector(".st-key-question_row input");
    if (now !== field) {
      sizes.disconnect();
      field = now;
      if (field) sizes.observe(field);
    }
    for (const whole of wholes) if (!whole.dataset.cut) judge(whole);
  };
  new MutationObserver(() => requestAnimationFrame(judgeNew)).observe(document.body, { childList: true, subtree: true });
  document.fonts.addEventListener("loadingdone", judgeAll);
  judgeNew();
}
