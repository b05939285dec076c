import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { finishPlugin } from "./scripts/finish.mjs";
import { textsPlugin } from "./scripts/texts.mjs";

const server = "http://127.0.0.1:8063";

export default defineConfig({
  plugins: [textsPlugin(), svelte(), finishPlugin()],
  resolve: { alias: { $lib: new URL("./src/lib", import.meta.url).pathname, $parts: new URL("./src/parts", import.meta.url).pathname } },
  // The one large chunk is the solid bowl with three.js, fetched when a throw is first shown.
  build: { target: "es2022", chunkSizeWarningLimit: 600, assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false, license: { fileName: "licences.md" },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // What many pages use is one file: over a slow network twenty small ones take three times as long.
      output: { codeSplitting: { groups: [{ name: "shell", test: /[\\/](src[\\/](lib|parts)|svelte)[\\/]/, minShareCount: 6 }] } },
    } },
  // While developing: `vite` serves the page and hands the rest to a running `bobing serve`.
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
  // No test fails for the slowness of a machine: the limit only ends one that hangs.
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 600_000, hookTimeout: 600_000 },
});
