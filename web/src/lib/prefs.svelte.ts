/** How this person likes the page. Changed by `setPref`, remembered, and put on <html> for the styles. */
import { recall, remember } from "./store";

export interface Prefs {
  /** Larger type everywhere. */
  large: boolean;
  sound: boolean;
  /** How loud, 0 to 100. */
  volume: number;
  /** In a hall where others speak: dice softly, no cheers. */
  quiet: boolean;
  /** The bowl: by what this device can do, always as a solid one, or flat. */
  bowl: "auto" | "solid" | "flat";
  vibration: boolean;
}

const kept = recall<Partial<Prefs>>("prefs", {});
export const prefs: Prefs = $state({
  large: kept.large ?? false,
  sound: kept.sound ?? true,
  volume: kept.volume ?? 70,
  quiet: kept.quiet ?? false,
  bowl: kept.bowl ?? "auto",
  vibration: kept.vibration ?? true,
});

export function setPref<K extends keyof Prefs>(name: K, value: Prefs[K]): void {
  prefs[name] = value;
  remember("prefs", { ...prefs });
  applyPrefs();
}

export function applyPrefs(): void {
  document.documentElement.toggleAttribute("data-large", prefs.large);
}

/** Whether the system asks for less motion. Read it when something is about to move. */
export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
