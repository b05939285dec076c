/** The tracks, fetched when a throw of their kind is first shown. */
import hard from "./tracks/hard.bin?url";
import middle from "./tracks/middle.bin?url";
import soft from "./tracks/soft.bin?url";
import spill from "./tracks/spill.bin?url";
import three from "./tracks/three.bin?url";
import two from "./tracks/two.bin?url";
import { indexOf, plan, poolOf, type Plan, type Pool, type Told } from "./plan.ts";
import { decode, type Track } from "./track.ts";

const FILES: Readonly<Record<Pool, string>> = { soft, middle, hard, spill, three, two };
const fetched = new Map<Pool, Promise<readonly Track[]>>();

/** All tracks of a kind; a failure is forgotten, so that the next throw asks again. */
export function tracksOf(pool: Pool): Promise<readonly Track[]> {
  const known = fetched.get(pool);
  if (known) return known;
  const asked = fetchTracks(FILES[pool]);
  fetched.set(pool, asked);
  asked.catch(() => fetched.delete(pool));
  return asked;
}

async function fetchTracks(url: string): Promise<readonly Track[]> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return decode(new Uint8Array(await answer.arrayBuffer()));
}

/** How a told throw is shown. */
export async function planned(told: Told): Promise<Plan> {
  const tracks = await tracksOf(poolOf(told));
  const track = tracks[indexOf(told, tracks.length)];
  if (!track) throw new RangeError("a file without tracks");
  return plan(told, track);
}
