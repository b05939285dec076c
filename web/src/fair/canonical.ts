/** JSON as records have it (`docs/record.md`). */

/** How deep values lie in each other at most. */
const DEEPEST = 40;

/** The one way to write a value: sorted keys, no spaces, whole numbers, not too deep. Throws where there is none. */
export function canonical(value: unknown, depth = 0): string {
  if (depth > DEEPEST) throw new RangeError("too deep");
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry, depth + 1)).join()}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([one], [other]) => byCodePoint(one, other));
    return `{${entries.map(([key, entry]) => `${text(key)}:${canonical(entry, depth + 1)}`).join()}}`;
  }
  if (typeof value === "string") return text(value);
  if (value === null || typeof value === "boolean" || Number.isSafeInteger(value)) return String(value);
  throw new TypeError("not in a record");
}

/** Signs beyond the first 65,536 come behind all others, though the halves that they are written with do not. */
function byCodePoint(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return (one.codePointAt(at) ?? -1) - (other.codePointAt(at) ?? -1);
}

function text(value: string): string {
  if (/\p{Cs}/u.test(value)) throw new TypeError("half a surrogate pair");
  return JSON.stringify(value);
}
