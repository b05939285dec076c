/** Dice that were half typed in when the keys went away: they stand there again where the keys come back to the same throw. */
let kept: { readonly throw: string; readonly faces: readonly number[] } = { throw: "", faces: [] };

/** What was typed in of a throw so far. */
export function halfTyped(one: string): number[] {
  return one && kept.throw === one ? [...kept.faces] : [];
}

export function keepHalfTyped(one: string, faces: readonly number[]): void {
  if (one) kept = { throw: one, faces: [...faces] };
}
