/** A finger on the bowl: a flick throws where it points, holding shakes, a tap just throws. */
import type { Attachment } from "svelte/attachments";
import { hold, letGo, type Flick } from "./hand.svelte";

const HOLD_MS = 220;
const RECENT_MS = 110; // what of the way counts for the flick
const FAST = 0.35; // pixels in a millisecond; slower is no flick
const HARDEST = 3;
const NEAR = 12; // pixels: a tap
const WORN = 2500; // pixels of shaking for the strongest throw

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly at: number;
}

/** What the last of a way with a finger comes to; null where it was none. Pixels and milliseconds. */
export function flickOf(way: readonly Spot[]): Flick | null {
  const end = way.at(-1);
  const from = end && way.find((spot) => end.at - spot.at <= RECENT_MS);
  if (!end || !from || end.at === from.at) return null;
  const [right, up] = [end.x - from.x, from.y - end.y];
  const speed = Math.hypot(right, up) / (end.at - from.at);
  if (speed < FAST || Math.hypot(right, up) < NEAR) return null;
  // Pulled towards oneself it is thrown away from oneself all the same.
  const aim = Math.round((Math.atan2(right, Math.abs(up)) * 180) / Math.PI);
  return { strength: strengthOf((speed - FAST) / (HARDEST - FAST)), aim };
}

/** How hard dice are thrown that were shaken along a way of so many pixels. */
export function shakenFlick(length: number): Flick {
  return { strength: strengthOf(0.25 + (0.75 * length) / WORN), aim: 0 };
}

const strengthOf = (share: number): number => Math.round(100 * Math.min(1, Math.max(0, share)));

/** Calls `onthrow` for what a finger does here while `may` says that there is something to throw. */
export function flick(may: () => boolean, onthrow: (flick: Flick) => void): Attachment<HTMLElement> {
  return (node) => {
    let way: Spot[] = [];
    let length = 0;
    let held = false;
    let timer = 0;
    const down = (event: PointerEvent) => {
      if (!may() || event.button !== 0) return;
      way = [{ x: event.clientX, y: event.clientY, at: event.timeStamp }];
      [length, held] = [0, false];
      timer = window.setTimeout(() => {
        held = true;
        hold();
      }, HOLD_MS);
      node.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent) => {
      const last = way.at(-1);
      if (!last) return;
      length += Math.hypot(event.clientX - last.x, event.clientY - last.y);
      way.push({ x: event.clientX, y: event.clientY, at: event.timeStamp });
    };
    const up = (event: PointerEvent) => {
      if (!way.length) return;
      move(event);
      const found = flickOf(way) ?? (held ? shakenFlick(length) : length < NEAR ? { strength: 50, aim: 0 } : null);
      const thrown = found !== null && may();
      end(thrown);
      if (thrown) onthrow(found);
    };
    const end = (thrown: boolean) => {
      clearTimeout(timer);
      if (held) letGo(thrown);
      way = [];
    };
    const cancel = () => end(false);
    node.addEventListener("pointerdown", down);
    node.addEventListener("pointermove", move);
    node.addEventListener("pointerup", up);
    node.addEventListener("pointercancel", cancel);
    return () => {
      cancel();
      node.removeEventListener("pointerdown", down);
      node.removeEventListener("pointermove", move);
      node.removeEventListener("pointerup", up);
      node.removeEventListener("pointercancel", cancel);
    };
  };
}
