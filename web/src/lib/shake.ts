/** Shaking the phone throws the dice. iPhones ask their owner first. */

interface Asking {
  requestPermission?: () => Promise<"granted" | "denied">;
}

/** Whether this device may tell its movements; call it from a tap. */
export async function mayShake(): Promise<boolean> {
  if (typeof DeviceMotionEvent === "undefined" || !isSecureContext) return false;
  const ask = (DeviceMotionEvent as unknown as Asking).requestPermission;
  return ask ? (await ask.call(DeviceMotionEvent).catch(() => "denied")) === "granted" : true;
}

const HARD = 14; // m/s² beside gravity

/** Calls back with the strength, 0 to 100, whenever the device was shaken and comes to rest. */
export function onShake(shaken: (strength: number) => void): () => void {
  let peak = 0;
  let last = 0;
  const move = (event: DeviceMotionEvent) => {
    const { x, y, z } = event.acceleration ?? {};
    const force = Math.hypot(x ?? 0, y ?? 0, z ?? 0);
    const now = Date.now();
    if (force > HARD) {
      peak = Math.max(peak, force);
      last = now;
    } else if (peak && now - last > 250) {
      shaken(Math.min(100, Math.round(peak * 2.5)));
      peak = 0;
    }
  };
  addEventListener("devicemotion", move);
  return () => removeEventListener("devicemotion", move);
}
