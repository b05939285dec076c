/** Texts with values: `{name}` and `{n|cake|cakes}`, as in `bobing.i18n`; a number may be written out already. */

const SLOT = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g;

export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(SLOT, (_, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}} in: ${text}`);
    return one === undefined ? String(value) : String(value) === "1" ? one : (many ?? "");
  });
}
