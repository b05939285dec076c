/** What this browser remembers. Storage may be switched off or full; then it is forgotten with the page. */

/** What could not be stored, which is newer than what is. */
const forgotten = new Map<string, string>();
const MOST = 2 ** 19;

export function recall<T>(key: string, otherwise: T): T {
  let text = forgotten.get(key) ?? null;
  try {
    text ??= localStorage.getItem(`bobing.${key}`);
  } catch {
    // storage is switched off
  }
  if (text === null) return otherwise;
  try {
    return JSON.parse(text) as T;
  } catch {
    return otherwise;
  }
}

/** most: so long it may be at most as text. A server may tell very much, and must not fill what is kept against it. */
export function remember(key: string, value: unknown, most = MOST): void {
  const text = JSON.stringify(value);
  if (text.length <= most && (stored(key, text) || (madeRoom() && stored(key, text)))) forgotten.delete(key);
  else forgotten.set(key, text);
}

/** Whether it could be: storage may be switched off or full. */
function stored(key: string, text: string): boolean {
  try {
    localStorage.setItem(`bobing.${key}`, text);
    return true;
  } catch {
    return false;
  }
}

/** Lets go of how tables looked last, which they tell anew. Whether there was anything. */
function madeRoom(): boolean {
  try {
    const looks = Object.keys(localStorage).filter((key) => key.startsWith("bobing.last."));
    for (const key of looks) localStorage.removeItem(key);
    return looks.length > 0;
  } catch {
    return false;
  }
}
