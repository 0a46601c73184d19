// Whether what is written on is dark, whoever decided so: the application's theme or the browser.

function isDark(root) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#ffffff";
  const hex = /^#(..)(..)(..)$/.exec(probe.fillStyle);
  const [red, green, blue] = hex ? hex.slice(1).map((part) => parseInt(part, 16)) : [255, 255, 255];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 100;
}
