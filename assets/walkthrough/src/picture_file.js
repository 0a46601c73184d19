// What the browser has laid out, as a PNG file: the elements with their styles in an SVG, drawn on a canvas.

import { download, el } from "./dom.js";

const SHARPER = 2;
const FONT = "Source Sans";
const MARGIN = 12;

/**
 * Save elements, one below the other, as a picture.
 *
 * @param {HTMLElement} root has the classes and variables of the style sheet
 * @param {HTMLElement[]} parts
 * @param {string} title of the file
 */
export async function savePicture(root, parts, title) {
  const width = Math.max(...parts.map((part) => part.scrollWidth)) + 2 * MARGIN;
  const height = parts.reduce((sum, part) => sum + part.scrollHeight, 0) + (parts.length + 1) * MARGIN;
  const image = new Image();
  // A canvas refuses to give out what it drew from a blob of this kind, but not from a data address.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await written(root, parts, width, height))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SHARPER * width;
  canvas.height = SHARPER * height;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  download(/** @type {Blob} */ (blob), `${title}.png`);
}

/** @param {HTMLElement} root @param {HTMLElement[]} parts @param {number} width @param {number} height */
async function written(root, parts, width, height) {
  const home = /** @type {ShadowRoot | Document} */ (root.getRootNode());
  const sheets = [...home.styleSheets, ...home.adoptedStyleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const rules = sheets.filter((rule) => !(rule instanceof CSSFontFaceRule)).map((rule) => rule.cssText);
  const style = getComputedStyle(root);
  const variables = new Set(rules.join("").match(/--[\w-]+/g));
  const copy = el(
    "div",
    {
      class: root.className.replace("presenting", ""),
      style: `width:${width}px;height:${height}px;padding:${MARGIN}px;font:${style.font};background:var(--paper)`,
    },
    el("style", {}, ...(await fonts()), ...rules),
    ...parts.map((part) => {
      const made = /** @type {HTMLElement} */ (part.cloneNode(true));
      made.style.cssText += `;width:${part.scrollWidth}px;height:${part.scrollHeight}px;overflow:visible;margin-bottom:${MARGIN}px`;
      return made;
    }),
  );
  for (const name of variables) copy.style.setProperty(name, style.getPropertyValue(name));
  const inside = new XMLSerializer().serializeToString(copy);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${inside}</foreignObject></svg>`;
}

/** The faces of the page's font with their files in them. @returns {Promise<string[]>} */
async function fonts() {
  const faces = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .filter((rule) => rule.style.getPropertyValue("font-family").includes(FONT))
    .filter((rule) => rule.style.getPropertyValue("font-style") !== "italic");
  return Promise.all(
    faces.map(async (rule) => {
      const [, place] = /url\("?([^")]+)"?\)/.exec(rule.cssText) ?? [];
      if (!place || place.startsWith("data:")) return rule.cssText;
      const base = rule.parentStyleSheet?.href ?? location.href;
      const file = await (await fetch(new URL(place, base))).blob();
      const reader = new FileReader();
      const read = new Promise((done) => reader.addEventListener("load", done));
      reader.readAsDataURL(file);
      await read;
      return rule.cssText.replace(place, String(reader.result));
    }),
  );
}
