/**
 * Checks records with the page's own verifier, outside a browser: names of files on stdin, one line of JSON for each on
 * stdout, `{file, throws: [[n, seat, k, verdict, unheard]], faults, restarts, voids, late, lost, signs, receipt}` or `{file, line, refused}`.
 * With --any-signature every round of drand counts as signed: records that were made up cannot have real ones.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { runnerImport } from "vite";

const path = (name) => new URL(`../${name}`, import.meta.url).pathname;

async function load(name) {
  const { module } = await runnerImport(path(name), { root: path(""), configFile: false, logLevel: "error" });
  return module;
}
const [{ report, RecordFault }, { signedByDrand }] = await Promise.all(["src/fair/record.ts", "src/fair/drand.ts"].map(load));

const signed = process.argv.includes("--any-signature") ? () => true : signedByDrand;

function checked(file) {
  try {
    const { throws, openings: _, names: __, rules: ___, ...found } = report(new Uint8Array(readFileSync(file)), signed);
    return { file, ...found, throws: throws.map(({ n, seat, k, verdict, unheard = [] }) => [n, seat, k, verdict, unheard]) };
  } catch (error) {
    if (error instanceof RecordFault) return { file, line: error.line, refused: error.why };
    throw error;
  }
}

for await (const file of createInterface({ input: process.stdin })) if (file) console.log(JSON.stringify(checked(file)));
