// Bundles one file per mount: `npm run build`, into dist/ or the folder that is named.

import { build } from "esbuild";

// Streamlit takes a text of one line for the path of a file.
const told = "/* Made from src/ by npm run build. */\n";
const outdir = process.argv[2] ?? "dist";
const shared = {
  bundle: true,
  outdir,
  entryNames: "[name]",
  target: "es2022",
  legalComments: "none",
  charset: "utf8",
  minify: true,
  banner: { js: told, css: told },
};
const mounts = [
  "component",
  "tour",
  "compare/rankings",
  "compare/page_keys",
  "compare/difference",
  "explore/neighbourhood",
];
const styles = [
  "walkthrough",
  "compare/rankings",
  "compare/difference",
  "explore/neighbourhood",
  "explore/webpage",
];
await build({ ...shared, entryPoints: mounts.map((name) => `src/${name}.js`), format: "esm" });
await build({ ...shared, entryPoints: ["src/story.js", "src/explore/webpage.js"], format: "iife" });
await build({ ...shared, entryPoints: styles.map((name) => `src/${name}.css`) });
