// Copies the address that the browser shows. Where a page is not served over HTTPS or from this
// machine, browsers have no clipboard, and a selected text is copied in the old way.

const SAID_FOR = 2000; // ms

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.cssText = "position:fixed;opacity:0";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  button.setAttribute("aria-live", "polite");
  button.onclick = async () => {
    const done = await copied(window.location.href);
    button.textContent = done ? "Copied" : "Copy it from the address bar";
    clearTimeout(button.hopTimer);
    button.hopTimer = setTimeout(() => (button.textContent = "Copy link"), SAID_FOR);
    button.focus();
  };
}
