/** Sentences from the server, where ⟦seat⟧ stands for the present name of a seat. */
const SLOT = /\u27e6(\d+)\u27e7/;

/** The parts of a sentence: texts, and seats as numbers. */
export function parts(sentence: string): (string | number)[] {
  return sentence
    .split(SLOT)
    .map((part, i) => (i % 2 ? Number(part) : part))
    .filter((part) => part !== "");
}

/** The sentence with names put in, for where no markup can stand. Names are isolated from the text around them. */
export function plain(sentence: string, name: (seat: number) => string): string {
  return parts(sentence)
    .map((part) => (typeof part === "number" ? `\u2068${name(part)}\u2069` : part))
    .join("");
}
