/** The address under which another phone compares what it saw sealed: the game and its T0, in full, never sent to a server. */
export function openingLink(game: string, t0: string): string {
  return `${location.origin}/fair#${game}.${t0}`;
}

/** What such an address says; null where it says nothing. */
export function openingIn(hash: string): { game: string; t0: string } | null {
  const found = /^#([0-9a-f]{32})\.([0-9a-f]{64})$/.exec(hash);
  return found?.[1] && found[2] ? { game: found[1], t0: found[2] } : null;
}
