/** Whether the background is dark, by the application's theme or the browser. @param {Element} root */
export function isDarkBackground(root) {
  const probe = document.createElement("canvas").getContext("2d");
  if (!probe) return false;
  probe.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#ffffff";
  const hex = /^#(..)(..)(..)$/.exec(probe.fillStyle);
  const [red, green, blue] = hex ? hex.slice(1).map((part) => Number.parseInt(part, 16)) : [255, 255, 255];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 100;
}

/** Whether what is written on is dark, by the application's theme; paper is not. @param {Element} root */
export const isDark = (root) => !matchMedia("print").matches && isDarkBackground(root);
