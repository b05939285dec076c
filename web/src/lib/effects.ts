/** What can be heard and felt beside the dice: a cheer. Made here, so that nothing has to be fetched. */
import { audio, type Audio } from "./audio";
import { calm, prefs } from "./prefs.svelte";

function tone({ context: at, output }: Audio, start: number, hertz: number, seconds: number, loud: number, type: OscillatorType): void {
  const oscillator = at.createOscillator();
  const gain = at.createGain();
  oscillator.type = type;
  oscillator.frequency.value = hertz;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  oscillator.connect(gain).connect(output);
  oscillator.start(start);
  oscillator.stop(start + seconds + 0.05);
}

const NOTES = [523.25, 587.33, 659.25, 783.99, 880, 1046.5]; // C D E G A C: the five notes of the house

/** A short run for a good throw, with drum and gong for the best. */
export function cheer(level: 1 | 2 | 3): void {
  feel(level === 3 ? [80, 60, 80, 60, 200] : level === 2 ? [80, 60, 120] : [40]);
  const at = audio();
  if (!at || calm() || prefs.quiet) return;
  const now = at.context.currentTime;
  const run = level === 1 ? [0, 2, 3] : level === 2 ? [0, 2, 3, 4, 5] : [0, 2, 3, 4, 5, 3, 5];
  run.forEach((note, i) => tone(at, now + 0.05 + i * 0.11, NOTES[note] ?? 440, 0.4, 0.09, "triangle"));
  if (level < 2) return;
  for (let i = 0; i < level * 2; i++) tone(at, now + i * 0.22, 92 - i * 3, 0.3, 0.22, "sine");
  if (level === 3) for (const hertz of [196, 293.7, 415.3]) tone(at, now + 0.9, hertz, 2.4, 0.05, "sine");
}

/** Lets the phone be felt; browsers allow it once somebody has touched the page. */
export function feel(pattern: number[]): void {
  if (prefs.vibration && "vibrate" in navigator && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(pattern);
}

/** Keeps the screen awake while a table is open; gives what ends it. Browsers allow it on https and localhost only. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let ended = false;
  const take = async () => {
    if (ended || document.hidden || !("wakeLock" in navigator)) return;
    lock = await navigator.wakeLock.request("screen").catch(() => null);
    if (ended) await lock?.release();
  };
  const look = () => void take();
  document.addEventListener("visibilitychange", look);
  void take();
  return () => {
    ended = true;
    document.removeEventListener("visibilitychange", look);
    void lock?.release();
  };
}
