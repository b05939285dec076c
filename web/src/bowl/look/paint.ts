/** Porcelain and cloth, drawn on a canvas: no picture file is fetched. */
import { CanvasTexture, RepeatWrapping, SRGBColorSpace } from "three";

const BLUE = "#1c3d93";
const MID = "#3d61b6";
const PALE = "rgb(70 105 190 / 34%)";
const WASH = "rgb(40 75 170 / 62%)";

type Paint = CanvasRenderingContext2D;

function sheet(width: number, height: number): [HTMLCanvasElement, Paint] {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  // Kept where the page can read it: from the graphics card it would wait for all that is drawn there.
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  if (!paint) throw new Error("no canvas to draw on");
  return [canvas, paint];
}

function texture(canvas: HTMLCanvasElement): CanvasTexture {
  const made = new CanvasTexture(canvas);
  made.colorSpace = SRGBColorSpace;
  made.wrapS = made.wrapT = RepeatWrapping;
  made.anisotropy = 8;
  return made;
}

/** Where the parts of the bowl lie along its outline, as shares of the whole length. */
export interface Marks {
  /** The inner side ends and the lip begins; the lip ends and the outer side begins; the foot begins. */
  readonly lip: number;
  readonly outside: number;
  readonly foot: number;
}

export function porcelain({ lip, outside, foot }: Marks, width: number): CanvasTexture {
  const height = width / 2;
  const [canvas, paint] = sheet(width, height);
  const unit = width / 2048;
  const y = (share: number) => height * (1 - share);
  paint.fillStyle = "#fbfcfd";
  paint.fillRect(0, 0, width, height);
  const ring = (share: number, thick: number, colour: string) => {
    paint.fillStyle = colour;
    paint.fillRect(0, y(share) - (thick * unit) / 2, width, thick * unit);
  };
  // Inside, from the lip down: a double ring, a meander, a double ring, cloud heads, and one ring round the well.
  ring(lip - 0.006, 5, BLUE);
  meander(paint, y(lip - 0.01), y(lip - 0.047), width, 56, unit);
  ring(lip - 0.051, 3, BLUE);
  ring(lip - 0.057, 1.6, MID);
  cloudHeads(paint, y(lip - 0.06), height * 0.036, width, 28, unit);
  ring(lip * 0.42, 2.2, MID);
  ring(lip * 0.4, 1.2, PALE);
  // The lip is gold.
  const gold = paint.createLinearGradient(0, y(outside), 0, y(lip));
  gold.addColorStop(0, "#a9782a");
  gold.addColorStop(0.5, "#e6c273");
  gold.addColorStop(1, "#b4832f");
  paint.fillStyle = gold;
  paint.fillRect(0, y(outside), width, y(lip) - y(outside));
  // Outside: lotus scroll between rings, petals standing on the foot.
  const out = (share: number) => outside + (foot - outside) * share;
  for (const [share, thick, colour] of [[0.03, 7, BLUE], [0.055, 2.5, MID], [0.8, 3, MID], [0.83, 7, BLUE]] as const) ring(out(share), thick, colour);
  scroll(paint, y(out(0.4)), height * Math.abs(foot - outside) * 0.19, width, unit);
  petals(paint, y(out(0.8)), height * Math.abs(foot - outside) * 0.12, width, unit);
  return texture(canvas);
}

/** The key pattern, each second key turned over. */
function meander(paint: Paint, top: number, bottom: number, width: number, count: number, unit: number): void {
  const step = width / count;
  const [high, low] = [top + (bottom - top) * 0.1, top + (bottom - top) * 0.9];
  const down = (share: number) => high + (low - high) * share;
  paint.strokeStyle = BLUE;
  paint.lineWidth = 3 * unit;
  paint.lineJoin = "miter";
  for (let i = 0; i < count; i++) {
    const x = (share: number) => (i + (i % 2 ? 1 - share : share)) * step;
    paint.beginPath();
    paint.moveTo(x(0), low);
    for (const [a, b] of [[0.1, 1], [0.1, 0], [0.9, 0], [0.9, 0.78], [0.32, 0.78], [0.32, 0.32], [0.68, 0.32], [0.68, 0.56]] as const) paint.lineTo(x(a), down(b));
    paint.stroke();
  }
}

/** A border of hanging cloud heads. */
function cloudHeads(paint: Paint, top: number, deep: number, width: number, count: number, unit: number): void {
  const step = width / count;
  for (let i = 0; i < count; i++) {
    paint.save();
    paint.translate((i + 0.5) * step, top);
    paint.lineWidth = 2.2 * unit;
    for (const [scale, colour] of [[1, BLUE], [0.62, MID]] as const) {
      const [w, h] = [step * 0.42 * scale, deep * scale];
      paint.strokeStyle = colour;
      paint.fillStyle = PALE;
      paint.beginPath();
      paint.moveTo(-w, 0);
      paint.bezierCurveTo(-w * 1.15, h * 0.6, -w * 0.35, h * 0.75, -w * 0.3, h * 0.45);
      paint.bezierCurveTo(-w * 0.3, h * 0.8, -w * 0.1, h * 0.85, 0, h);
      paint.bezierCurveTo(w * 0.1, h * 0.85, w * 0.3, h * 0.8, w * 0.3, h * 0.45);
      paint.bezierCurveTo(w * 0.35, h * 0.75, w * 1.15, h * 0.6, w, 0);
      paint.fill();
      paint.stroke();
    }
    paint.fillStyle = BLUE;
    paint.beginPath();
    paint.arc(0, deep * 1.18, 2.4 * unit, 0, 7);
    paint.arc(step / 2, deep * 0.3, 2 * unit, 0, 7);
    paint.fill();
    paint.restore();
  }
}

/** A winding stem with a lotus in each bend. */
function scroll(paint: Paint, middle: number, swing: number, width: number, unit: number): void {
  const bends = 8;
  const stem = (x: number) => middle + Math.sin((x / width) * bends * 2 * Math.PI) * swing;
  paint.strokeStyle = BLUE;
  paint.lineWidth = 7 * unit;
  paint.lineCap = "round";
  paint.beginPath();
  for (let x = 0; x <= width; x += 4) paint.lineTo(x, stem(x));
  paint.stroke();
  for (let i = 0; i < bends * 2; i++) {
    const way = i % 2 ? 1 : -1;
    const x = ((i + 0.5) / (bends * 2)) * width;
    paint.save();
    paint.translate(x, middle + way * swing * 0.25);
    paint.scale(unit, way * unit);
    for (let k = -4; k <= 4; k++) {
      paint.save();
      paint.rotate((k / 4) * 1.35);
      paint.fillStyle = k % 2 ? PALE : WASH;
      paint.strokeStyle = BLUE;
      paint.lineWidth = 2.4;
      paint.beginPath();
      paint.moveTo(0, 4);
      paint.bezierCurveTo(-15, -16, -11, -40, 0, -52 + 2 * Math.abs(k));
      paint.bezierCurveTo(11, -40, 15, -16, 0, 4);
      paint.fill();
      paint.stroke();
      paint.restore();
    }
    paint.restore();
    for (const side of [-1, 1]) {
      const leaf = x + (side * width * 0.8) / (bends * 4);
      paint.fillStyle = WASH;
      paint.beginPath();
      paint.ellipse(leaf + side * 16 * unit, stem(leaf) - way * 6 * unit, 16 * unit, 6.5 * unit, side * 0.7, 0, 7);
      paint.fill();
    }
  }
}

function petals(paint: Paint, bottom: number, tall: number, width: number, unit: number): void {
  const count = 40;
  const half = width / count / 2.1;
  paint.strokeStyle = BLUE;
  paint.lineWidth = 2 * unit;
  for (let i = 0; i < count; i++) {
    const x = ((i + 0.5) / count) * width;
    paint.fillStyle = i % 2 ? PALE : WASH;
    paint.beginPath();
    paint.moveTo(x - half, bottom);
    paint.quadraticCurveTo(x - half * 0.93, bottom - tall * 0.8, x, bottom - tall);
    paint.quadraticCurveTo(x + half * 0.93, bottom - tall * 0.8, x + half, bottom);
    paint.fill();
    paint.stroke();
  }
}

/** Red brocade with gold rounds, one tile that repeats. */
export function cloth(size: number): CanvasTexture {
  const [canvas, paint] = sheet(size, size);
  paint.fillStyle = "#9c1420";
  paint.fillRect(0, 0, size, size);
  weave(paint, size);
  const [middle, round] = [size / 2, size * 0.2];
  for (const [x, y] of [[middle, middle], [0, 0], [size, 0], [0, size], [size, size]] as const) medallion(paint, x, y, round);
  paint.strokeStyle = "rgb(214 140 62 / 17%)";
  paint.lineWidth = size / 256;
  for (const [x, y] of [[middle, 0], [0, middle], [middle, size], [size, middle]] as const)
    for (const reach of [0.05, 0.085, 0.12]) {
      paint.beginPath();
      paint.moveTo(x, y - size * reach);
      paint.lineTo(x + size * reach, y);
      paint.lineTo(x, y + size * reach);
      paint.lineTo(x - size * reach, y);
      paint.closePath();
      paint.stroke();
    }
  return texture(canvas);
}

function weave(paint: Paint, size: number): void {
  const image = paint.getImageData(0, 0, size, size);
  for (let i = 0; i < size * size; i++) {
    const [x, y] = [i % size, Math.floor(i / size)];
    const thread = ((x >> 1) + (y >> 1)) % 2 ? 6 : -6;
    const grain = (((i * 2654435761) >>> 24) / 255 - 0.5) * 9;
    for (let k = 0; k < 3; k++) image.data[i * 4 + k]! += (thread + grain) * (k ? 0.35 : 1);
  }
  paint.putImageData(image, 0, 0);
}

function medallion(paint: Paint, x: number, y: number, round: number): void {
  const gold = (share: number) => `rgb(214 140 62 / ${share}%)`;
  paint.save();
  paint.translate(x, y);
  for (const [radius, thick] of [[1, 0.05], [0.88, 0.028]] as const) {
    paint.strokeStyle = gold(34);
    paint.lineWidth = round * thick;
    paint.beginPath();
    paint.arc(0, 0, round * radius, 0, 7);
    paint.stroke();
  }
  for (let k = 0; k < 8; k++) {
    paint.fillStyle = "rgb(214 110 60 / 16%)";
    paint.beginPath();
    paint.moveTo(0, -round * 0.12);
    paint.bezierCurveTo(round * 0.26, -round * 0.35, round * 0.2, -round * 0.66, 0, -round * 0.78);
    paint.bezierCurveTo(-round * 0.2, -round * 0.66, -round * 0.26, -round * 0.35, 0, -round * 0.12);
    paint.fill();
    paint.stroke();
    paint.rotate(Math.PI / 4);
  }
  paint.fillStyle = gold(35);
  paint.beginPath();
  paint.arc(0, 0, round * 0.1, 0, 7);
  paint.fill();
  paint.restore();
}
