/** Bundles bench_entry.ts into one script that makes `bobing`, and writes it to stdout. */
import { build } from "vite";

const path = (name) => new URL(`../${name}`, import.meta.url).pathname;
const [{ output }] = await build({
  root: path(""),
  configFile: false,
  logLevel: "error",
  build: { write: false, target: "es2022", copyPublicDir: false, lib: { entry: path("scripts/bench_entry.ts"), formats: ["iife"], name: "bobing" } },
});
process.stdout.write(output[0].code);
