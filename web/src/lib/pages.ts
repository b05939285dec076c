/** Which component and which texts a page needs. Each is fetched when somebody goes there. */
import type { Component } from "svelte";
import type { Area } from "../generated/keys";
import type { PageName, Route } from "./routes";
import { useTexts } from "./texts.svelte";

export type Page = Component<{ route: Route }>;

interface Entry {
  // A page takes its own kind of route; `loadPage` gives it no other.
  load: () => Promise<{ default: Component<never> }>;
  areas: readonly Area[];
  /** Without the bar at the top and the foot: the page fills the screen. */
  bare?: true;
}

export const PAGES: Readonly<Record<PageName, Entry>> = {
  home: { load: () => import("../pages/Home.svelte"), areas: [] },
  setup: { load: () => import("../pages/Setup.svelte"), areas: ["table", "setup"] },
  table: { load: () => import("../pages/Table.svelte"), areas: ["table", "proof"], bare: true },
  hall: { load: () => import("../pages/Hall.svelte"), areas: ["table", "proof"], bare: true },
  learn: { load: () => import("../pages/Learn.svelte"), areas: ["learn"] },
  topic: { load: () => import("../pages/Topic.svelte"), areas: ["learn"] },
  rules: { load: () => import("../pages/Rules.svelte"), areas: ["learn"] },
  sheet: { load: () => import("../pages/Sheet.svelte"), areas: ["learn"] },
  compare: { load: () => import("../pages/Compare.svelte"), areas: ["learn"] },
  odds: { load: () => import("../pages/Odds.svelte"), areas: ["chances", "learn", "setup"] },
  fair: { load: () => import("../pages/Fair.svelte"), areas: ["proof", "fairness"] },
  verify: { load: () => import("../pages/Verify.svelte"), areas: ["proof", "fairness"] },
  plan: { load: () => import("../pages/Plan.svelte"), areas: ["plan", "learn", "setup"] },
  events: { load: () => import("../pages/Events.svelte"), areas: ["desk", "takeaway"] },
  event: { load: () => import("../pages/Event.svelte"), areas: ["desk", "day", "takeaway", "event", "setup", "table", "plan", "learn"], bare: true },
  register: { load: () => import("../pages/Register.svelte"), areas: ["guest"] },
  mine: { load: () => import("../pages/Mine.svelte"), areas: ["guest", "event"] },
  screen: { load: () => import("../pages/Screen.svelte"), areas: ["day", "desk", "table"], bare: true },
  games: { load: () => import("../pages/Games.svelte"), areas: [] },
  bowl: { load: () => import("../pages/Bowl.svelte"), areas: ["learn", "table"] },
  lost: { load: () => import("../pages/Lost.svelte"), areas: [] },
};

export async function loadPage(name: PageName): Promise<Page> {
  const { load, areas } = PAGES[name];
  const [module] = await Promise.all([load(), useTexts(...areas)]);
  return module.default as unknown as Page;
}
