// Draws the pictures of the method cards: `node pictures.js FOLDER < FILE`, where the file has a
// walkthrough by the key of each retriever. `python -m core.shipping` calls it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { thumbnail } from "./src/graph/thumbnail.js";

for (const [key, data] of Object.entries(JSON.parse(readFileSync(0, "utf8"))))
  writeFileSync(join(process.argv[2], `${key}.svg`), `${thumbnail(data)}\n`);
