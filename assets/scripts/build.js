// Bundles one file per mount: `npm run build`, into dist/ or the folder that is named.

import { build } from "esbuild";

// Streamlit takes a text of one line for the path of a file.
const told = "/* Made from src/ by npm run build. */\n";
const outdir = process.argv[2] ?? "dist";
const shared = {
  bundle: true,
  outdir,
  outbase: "src",
  entryNames: "[dir]/[name]",
  target: "es2022",
  legalComments: "none",
  charset: "utf8",
  minify: true,
  banner: { js: told, css: told },
};
const mounts = [
  "walkthrough/component",
  "walkthrough/tour",
  "compare/rankings",
  "compare/page_keys",
  "compare/difference",
  "explore/neighbourhood",
  "page/history_entries",
  "page/list_link",
  "page/page_focus",
  "page/pending_input",
  "page/main_focus",
  "page/popover_focus",
  "page/search_order",
  "page/busy_buttons",
  "page/full_question",
  "page/theme_change",
  "page/scroll_into_view",
  "page/copy_link",
  "page/question_keys",
  "search/search_dialog",
  "errors/keys",
  "errors/note",
  "errors/result_list",
  "errors/status_line",
  "map/component",
  "map/messenger",
];
const pages = ["walkthrough/story", "explore/webpage", "map/webpage"];
const styles = [
  "walkthrough/walkthrough",
  "compare/rankings",
  "compare/difference",
  "explore/neighbourhood",
  "explore/webpage",
];
await build({ ...shared, entryPoints: mounts.map((name) => `src/${name}.js`), format: "esm" });
await build({ ...shared, entryPoints: pages.map((name) => `src/${name}.js`), format: "iife" });
await build({ ...shared, entryPoints: styles.map((name) => `src/${name}.css`) });
