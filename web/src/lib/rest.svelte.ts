/**
 * A tap too many falls upon whatever stands there next: for so long after something was done, and after each tap in that
 * time, no tap counts. One for the whole page, for the next thing may be another player's.
 */
const REST_MS = 400;
let now = $state(false);
let timer = 0;

export function rest(): void {
  clearTimeout(timer);
  now = true;
  timer = window.setTimeout(() => (now = false), REST_MS);
}

export function resting(): boolean {
  return now;
}

/** Whether a tap counts; one that does not makes the rest begin anew. */
export function counts(): boolean {
  if (now) rest();
  return !now;
}
