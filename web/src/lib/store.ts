/** What this browser remembers. Storage may be switched off or full; then it is forgotten with the page. */

const forgotten = new Map<string, string>();

export function recall<T>(key: string, otherwise: T): T {
  let text: string | null = null;
  try {
    text = localStorage.getItem(`bobing.${key}`);
  } catch {
    // storage is switched off
  }
  text ??= forgotten.get(key) ?? null;
  if (text === null) return otherwise;
  try {
    return JSON.parse(text) as T;
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  forgotten.set(key, text);
  try {
    localStorage.setItem(`bobing.${key}`, text);
  } catch {
    // storage is switched off or full
  }
}
