/** Makes the checking page as one file that opens from a disk, with no server and no network. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build } from "vite";

export const ALONE = "bobing-verify.html";
const path = (name) => new URL(`../${name}`, import.meta.url).pathname;

export async function buildAlone(out) {
  const built = await build({
    root: path(""),
    configFile: false,
    logLevel: "warn",
    plugins: [svelte({ configFile: path("svelte.config.js") })],
    resolve: {
      alias: [
        { find: "$lib/texts.svelte", replacement: path("src/fair/alone/texts.svelte.ts") },
        { find: "$lib", replacement: path("src/lib") },
        { find: "$parts", replacement: path("src/parts") },
      ],
    },
    build: {
      write: false,
      target: "es2022",
      copyPublicDir: false,
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      lib: { entry: path("src/fair/alone/main.ts"), formats: ["iife"], name: "bobing", fileName: () => "alone.js", cssFileName: "alone" },
      rolldownOptions: { output: { codeSplitting: false }, checks: { bundlerTimings: false } },
    },
  });
  const files = [built].flat().flatMap(({ output }) => output);
  const code = files.find(({ type }) => type === "chunk").code.replaceAll("</script", "<\\/script");
  // No fonts come along: the ones of the device do.
  const style = String(files.find(({ fileName }) => fileName.endsWith(".css")).source).replace(/@font-face\s*\{[^}]*\}/g, "");
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">';
  const policy = '<meta http-equiv="content-security-policy" content="default-src \'none\'; script-src \'unsafe-inline\'; style-src \'unsafe-inline\'">';
  const page = `<!doctype html><html lang="en"><head>${head}${policy}<title>bobing</title><style>${style}</style></head><body><script>${code}</script></body></html>\n`;
  writeFileSync(join(out, ALONE), page);
}
