// `[` and `]` press the buttons for the question before and the next one: keys that Streamlit's own
// shortcuts do not know.

const BUTTONS = { "[": ".st-key-question_before button", "]": ".st-key-question_after button" };

export default function () {
  const press = (event) => {
    const typing = event.composedPath()[0]?.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
    if (typing || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const button = BUTTONS[event.key] && document.querySelector(BUTTONS[event.key]);
    if (!button) return;
    event.preventDefault();
    button.click();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
