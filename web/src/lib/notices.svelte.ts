/** Short messages at the foot of the screen, read out by screen readers. */
export type Tone = "plain" | "good" | "trouble";
export interface Notice {
  id: number;
  text: string;
  tone: Tone;
}

let count = 0;
export const notices: Notice[] = $state([]);

/** Shows a message for a while; one of trouble stays until it is closed. Gives what takes it away again. */
export function notify(text: string, tone: Tone = "plain", seconds = 6): () => void {
  const before = notices.find((notice) => notice.text === text && notice.tone === tone);
  if (before) closeNotice(before.id); // told anew, not twice
  const id = ++count;
  notices.push({ id, text, tone });
  const close = () => closeNotice(id);
  if (tone !== "trouble") setTimeout(close, seconds * 1000);
  return close;
}

export function closeNotice(id: number): void {
  const at = notices.findIndex((notice) => notice.id === id);
  if (at >= 0) notices.splice(at, 1);
}

/** What was refused before somebody went on to something else: that is read, or past. */
export function closeTrouble(): void {
  for (const notice of notices.filter((one) => one.tone === "trouble")) closeNotice(notice.id);
}
