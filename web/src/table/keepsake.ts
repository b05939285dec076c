/** The picture to keep: who was champion, with which dice, and what everybody won. Drawn here, sent nowhere. */
import type { TableState } from "$lib/live";
import { pipsOf } from "$lib/pips";
import { holding } from "$lib/said.svelte";
import { nameOf } from "$lib/seats";
import { lang, t } from "$lib/texts.svelte";

const W = 1200;
const MARGIN = 90;
const ROW = 64;
const SERIF = '"Bobing Serif", "Noto Serif CJK SC", "Songti SC", Georgia, serif';
const SANS = 'system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';

const NAME = `600 32px ${SANS}`;
const CAKES = `400 28px ${SANS}`;
const LINE = 40;
const LEFT = MARGIN + 30;
const WIDE = W - 2 * LEFT;

interface Row {
  name: string;
  lines: string[];
}

export async function keepsake(state: TableState): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = W;
  const ink = canvas.getContext("2d");
  if (!ink) throw new Error("no canvas");
  await document.fonts?.ready;
  const { rows, beside } = laidOut(ink, state);
  canvas.height = 860 + rows.reduce((sum, { lines }) => sum + height(lines), 0);
  frame(ink, canvas.height);
  write(ink, t("web.app_name"), W / 2, 150, `600 58px ${SERIF}`, "#122a61", "center");
  const day = new Intl.DateTimeFormat(lang(), { dateStyle: "long" }).format(state.lines.at(-1)?.at ?? Date.now());
  write(ink, [state.title, day].filter(Boolean).join(" · "), W / 2, 205, CAKES, "#4c566b", "center", WIDE);
  drawChampion(ink, state);
  let y = 780;
  for (const { name, lines } of rows) {
    write(ink, name, LEFT, y, NAME, "#1b2233", "left", beside - 30);
    lines.forEach((line, i) => write(ink, line, LEFT + beside, y + i * LINE, CAKES, "#7a5510", "left", WIDE - beside));
    y += height(lines);
    ink.fillStyle = "#d7deea";
    ink.fillRect(LEFT, y - 44, WIDE, 2);
  }
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}

const height = (lines: readonly string[]) => ROW + (lines.length - 1) * LINE;

/** Who won what, in lines that fit; `beside` is where these begin, behind the longest name. */
function laidOut(ink: CanvasRenderingContext2D, { view, rules }: TableState): { rows: Row[]; beside: number } {
  const names = view.order.map((seat) => nameOf(view, seat));
  ink.font = NAME;
  const beside = Math.min(WIDE / 2, Math.max(...names.map((name) => ink.measureText(name).width)) + 40);
  ink.font = CAKES;
  const fits = (text: string) => ink.measureText(text).width <= WIDE - beside;
  const rows = view.order.map((seat, i) => {
    const cakes = holding(rules, view, seat).map(({ name, count, prizes }) => `${name} ${count}${prizes}`);
    return { name: names[i] ?? "", lines: broken(cakes, fits) };
  });
  return { rows, beside };
}

/** Parts in as few lines as they fit into; none is broken. */
export function broken(parts: readonly string[], fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1) ?? ""}   ${part}`;
    if (lines.length && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines.length ? lines : ["—"];
}

function drawChampion(ink: CanvasRenderingContext2D, { view }: TableState): void {
  const title = view.title;
  if (!title) {
    write(ink, t("table.end_nobody"), W / 2, 480, `600 56px ${SERIF}`, "#122a61", "center", W - 2 * MARGIN);
    return;
  }
  drawHat(ink, W / 2, 320, 1.35);
  write(ink, t("table.champion"), W / 2, 475, `400 34px ${SANS}`, "#7a5510", "center");
  write(ink, nameOf(view, title.seat), W / 2, 555, `600 76px ${SERIF}`, "#b6281a", "center", W - 2 * MARGIN - 60);
  write(ink, title.words[lang()] ?? "", W / 2, 608, `400 32px ${SANS}`, "#1b2233", "center");
  [...title.roll].forEach((face, i) => drawDie(ink, W / 2 - title.roll.length * 36 + i * 72 + 4, 632, 64, Number(face)));
}

function frame(ink: CanvasRenderingContext2D, height: number): void {
  ink.fillStyle = "#fbfaf6";
  ink.fillRect(0, 0, W, height);
  ink.strokeStyle = "#1d4399";
  for (const [inset, width] of [[36, 8], [54, 2]] as const) {
    ink.lineWidth = width;
    ink.beginPath();
    ink.roundRect(inset, inset, W - 2 * inset, height - 2 * inset, 36);
    ink.stroke();
  }
}

function write(ink: CanvasRenderingContext2D, text: string, x: number, y: number, font: string, colour: string, align: CanvasTextAlign, widest = W): void {
  ink.font = font;
  ink.fillStyle = colour;
  ink.textAlign = align;
  ink.fillText(text, x, y, widest);
}

function drawDie(ink: CanvasRenderingContext2D, x: number, y: number, edge: number, face: number): void {
  ink.fillStyle = "#fffefb";
  ink.strokeStyle = "#8e9ab3";
  ink.lineWidth = 2;
  ink.beginPath();
  ink.roundRect(x, y, edge, edge, edge / 5);
  ink.fill();
  ink.stroke();
  ink.fillStyle = face === 1 || face === 4 ? "#c0291a" : "#17306f";
  for (const [px, py] of pipsOf(face)) {
    ink.beginPath();
    ink.arc(x + (px * edge) / 100, y + (py * edge) / 100 + edge * 0.02, edge * (face === 1 ? 0.17 : 0.095), 0, 7);
    ink.fill();
  }
}

/** The hat of a zhuangyuan: black gauze, two wings, a golden flower. */
export const HAT = {
  wings: "M-40 26c-34-10-74-8-104 4 28 14 70 16 104 6zM40 26c34-10 74-8 104 4-28 14-70 16-104 6z",
  crown: "M-46 40c-4-34 6-52 22-58 6-26 42-26 48 0 16 6 26 24 22 58z",
  brim: "M-54 40h108v14h-108z",
  flower: "M0 2c7-12 20-6 16 5 12 1 12 16 0 17 4 11-9 17-16 5-7 12-20 6-16-5-12-1-12-16 0-17-4-11 9-17 16-5z",
};

function drawHat(ink: CanvasRenderingContext2D, x: number, y: number, scale: number): void {
  ink.save();
  ink.translate(x, y);
  ink.scale(scale, scale);
  for (const [path, colour] of [[HAT.wings, "#23242e"], [HAT.crown, "#23242e"], [HAT.brim, "#b6281a"], [HAT.flower, "#d9a53a"]] as const) {
    ink.fillStyle = colour;
    ink.fill(new Path2D(path));
  }
  ink.restore();
}
