/** The dice in this person's hand: held and shaken before they are thrown. One hand for the page. */
const GRACE_MS = 700; // between letting go and the throw as the server tells it

let held = $state(false);
let timer = 0;

export function shaking(): boolean {
  return held;
}

export function hold(): void {
  clearTimeout(timer);
  held = true;
}

/** Let go. After a throw the dice stay in the air until it is told. */
export function letGo(thrown: boolean): void {
  clearTimeout(timer);
  if (!thrown) held = false;
  else timer = window.setTimeout(() => (held = false), GRACE_MS);
}

export interface Flick {
  /** 0 to 100. */
  readonly strength: number;
  /** Degrees to the right of straight ahead, -90 to 90. */
  readonly aim: number;
}
