/** What this browser remembers. Storage may be switched off or full; then it is forgotten with the page. */

/** What could not be stored, which is newer than what is. */
const forgotten = new Map<string, string>();

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

export function remember(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(`bobing.${key}`, text);
    forgotten.delete(key);
  } catch {
    forgotten.set(key, text); // storage is switched off or full
  }
}
