/** The one way out for sound: as loud as this person likes, soft in a quiet hall. Browsers let a page sound after a touch. */
import { prefs } from "./prefs.svelte";

const QUIET = 0.25;

let context: AudioContext | null = null;
let output: GainNode | null = null;

export interface Audio {
  readonly context: AudioContext;
  readonly output: AudioNode;
}

/** Where to play; null while there is nothing to hear. */
export function audio(): Audio | null {
  if (!prefs.sound || typeof AudioContext === "undefined") return null;
  context ??= new AudioContext();
  if (!output) {
    output = new GainNode(context);
    output.connect(context.destination);
  }
  output.gain.value = (prefs.volume / 100) ** 2 * (prefs.quiet ? QUIET : 1);
  if (context.state === "suspended") void context.resume().catch(() => undefined);
  return { context, output };
}

export function unlockSound(): void {
  audio();
}
