// Bundles one file per mount into dist/: `npm run build`.

import { build } from "esbuild";

const shared = {
  bundle: true,
  outdir: "dist",
  target: "es2022",
  legalComments: "none",
  charset: "utf8",
  minify: true,
};
await build({ ...shared, entryPoints: ["src/component.js"], format: "esm" });
await build({ ...shared, entryPoints: ["src/story.js"], format: "iife" });
await build({ ...shared, entryPoints: ["src/walkthrough.css"] });
