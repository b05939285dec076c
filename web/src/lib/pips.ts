/** Where the pips of a face lie, in hundredths of the edge of a die. */
type Pip = readonly [x: number, y: number];
const [LOW, MID, HIGH, MIDDLE] = [27, 50, 73, 48] as const;
const [UP, DOWN] = [25, 71] as const;

const PIPS: readonly (readonly Pip[])[] = [
  [],
  [[MID, MIDDLE]],
  [[LOW, UP], [HIGH, DOWN]],
  [[LOW, UP], [MID, MIDDLE], [HIGH, DOWN]],
  [[LOW, UP], [HIGH, UP], [LOW, DOWN], [HIGH, DOWN]],
  [[LOW, UP], [HIGH, UP], [MID, MIDDLE], [LOW, DOWN], [HIGH, DOWN]],
  [[LOW, UP], [HIGH, UP], [LOW, MIDDLE], [HIGH, MIDDLE], [LOW, DOWN], [HIGH, DOWN]],
];

export function pipsOf(face: number): readonly Pip[] {
  return PIPS[face] ?? [];
}

/** The faces of a throw or a pattern: "444411", or "44xxxx" where x is any face (0). */
export function facesOf(text: string): number[] {
  return [...text].map((sign) => Number(sign) || 0);
}
