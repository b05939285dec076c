/** What is done once the page is bundled: the service worker learns what belongs to it, and all is compressed. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { ALONE, buildAlone } from "./alone.mjs";

const WORTH = /\.(js|css|html|svg|json|webmanifest|md|txt|bin)$/;
const NOT_SHELL = new RegExp(`^/(icons/.*[.]png$|${ALONE})|\\.(md|txt)$`); // asked for by the system, or by hardly anybody
const SMALL = 600; // bytes: below that, compressing costs more than it saves

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function fillServiceWorker(out) {
  const path = join(out, "sw.js");
  const files = filesIn(out).filter((file) => file !== path);
  const hash = createHash("sha256");
  for (const file of files) hash.update(relative(out, file)).update(readFileSync(file));
  const urls = files.map((file) => `/${relative(out, file).split(sep).join("/")}`);
  const shell = urls.filter((url) => !NOT_SHELL.test(url)).map((url) => (url === "/index.html" ? "/" : url));
  const code = readFileSync(path, "utf8")
    .replace('"__VERSION__"', JSON.stringify(hash.digest("hex").slice(0, 16)))
    .replace('"__SHELL__"', JSON.stringify(shell));
  writeFileSync(path, code);
}

function compress(out) {
  for (const file of filesIn(out).filter((name) => WORTH.test(name))) {
    const data = readFileSync(file);
    if (data.length < SMALL) continue;
    writeFileSync(`${file}.gz`, gzipSync(data, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: data.length } }));
  }
}

export function finishPlugin() {
  let out = "";
  return {
    name: "bobing-finish",
    apply: "build",
    configResolved(config) {
      out = join(config.root, config.build.outDir);
      if (config.build.outDir.startsWith(sep)) out = config.build.outDir;
    },
    async closeBundle() {
      if (!existsSync(join(out, "index.html"))) return;
      await buildAlone(out);
      fillServiceWorker(out);
      compress(out);
    },
  };
}
