// A question that its field cuts stands below the field whole; one that the field shows is not said twice.

export default function () {
  if (globalThis.__hopWhole) return;
  globalThis.__hopWhole = true;
  const wholes = document.getElementsByClassName("hop-whole");
  let later = 0;
  // The field may have another text still, or what is being typed: then it is looked at later, once.
  const judge = (whole) => {
    const field = document.querySelector(".st-key-question_row input");
    if (field?.value === whole.textContent) {
      whole.dataset.cut = field.scrollWidth > field.clientWidth;
    } else {
      clearTimeout(later);
      later = setTimeout(judgeNew, 150);
    }
  };
  const judgeNew = () => { for (const whole of wholes) if (!whole.dataset.cut) judge(whole); };
  new MutationObserver(() => requestAnimationFrame(judgeNew)).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", () => [...wholes].forEach((whole) => { delete whole.dataset.cut; judge(whole); }));
  judgeNew();
}
