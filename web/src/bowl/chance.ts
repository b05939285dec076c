/** Numbers that look like chance and are the same on every device for the same seed. Nothing secret, nothing of the dice. */

/** A seed out of words: which table, which of its acts. */
export function seedOf(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const sign of words.join("/")) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193);
  return mixed(hash);
}

function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Draws from 0 up to 1, one after another. */
export function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mixed(state) / 2 ** 32;
  };
}

/** A whole number below `limit`. */
export const below = (draw: () => number, limit: number): number => Math.floor(draw() * limit);
