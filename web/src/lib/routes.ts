/** Addresses of the page, as data. */
import { readCode } from "./code";
import { numberIn, PLAYERS, PLAYERS_USUAL } from "./spans";

export const TOPICS = ["origin", "cakes", "play", "prizes", "champion", "house"] as const;
export type Topic = (typeof TOPICS)[number];

/** The pages of an event that its desk turns over; the first is where one comes in. */
export const EVENT_PLACES = ["setup", "guests", "door", "tables", "prizes", "final", "hall", "papers", "log"] as const;
export type EventPlace = (typeof EVENT_PLACES)[number];

/** Pages of an event that stand alone: for a guest's phone, and the screen of a hall. */
const EVENT_PAGES = [
  { path: "join", page: "register" },
  { path: "me", page: "mine" },
  { path: "screen", page: "screen" },
] as const;

export type Route =
  | { page: "home" }
  | { page: "setup" }
  | { page: "table"; code: string }
  | { page: "hall"; code: string }
  | { page: "learn" }
  | { page: "topic"; topic: Topic }
  | { page: "rules" }
  | { page: "sheet"; key: string }
  | { page: "compare"; left: string; right: string }
  | { page: "odds"; key: string; players: number; /** What stands in place of a number of players. */ unread?: string }
  | { page: "games" }
  | { page: "plan" }
  | { page: "events" }
  | { page: "event"; code: string; place: EventPlace }
  | { page: "register"; code: string }
  | { page: "mine"; code: string }
  | { page: "screen"; code: string }
  | { page: "bowl" }
  | { page: "fair" }
  | { page: "verify" }
  | { page: "lost"; path: string };

export type PageName = Route["page"];

/** What stands at an address. A code in it is read kindly, so that `/t/abcd-2345` is found. */
export function routeOf(path: string): Route {
  const lost: Route = { page: "lost", path };
  let parts: string[];
  try {
    parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return lost;
  }
  const [first, second, third, ...more] = parts;
  if (more.length) return lost;
  switch (first) {
    case undefined:
      return { page: "home" };
    case "new":
      return second === undefined ? { page: "setup" } : lost;
    case "games":
    case "plan":
    case "bowl":
    case "fair":
    case "verify":
      return second === undefined ? { page: first } : lost;
    case "t":
    case "hall": {
      const code = readCode(second ?? "");
      return code && third === undefined ? { page: first === "t" ? "table" : "hall", code } : lost;
    }
    case "events": {
      if (second === undefined) return { page: "events" };
      const code = readCode(second);
      const own = EVENT_PAGES.find((one) => one.path === third);
      if (code && own) return { page: own.page, code };
      const place = EVENT_PLACES.find((one) => one === (third ?? EVENT_PLACES[0]));
      return code && place ? { page: "event", code, place } : lost;
    }
    case "learn": {
      if (second === undefined) return { page: "learn" };
      const topic = TOPICS.find((one) => one === second);
      return topic && third === undefined ? { page: "topic", topic } : lost;
    }
    case "odds": {
      const key = second ?? "minnan";
      const players = third === undefined ? PLAYERS_USUAL : numberIn(third, PLAYERS);
      return players === null ? { page: "odds", key, players: PLAYERS_USUAL, unread: third ?? "" } : { page: "odds", key, players };
    }
    case "rules":
      if (second === undefined) return { page: "rules" };
      return third === undefined ? { page: "sheet", key: second } : { page: "compare", left: second, right: third };
    default:
      return lost;
  }
}

/** The address of a route. */
export function pathOf(route: Route): string {
  switch (route.page) {
    case "home":
      return "/";
    case "setup":
      return "/new";
    case "table":
      return `/t/${route.code}`;
    case "hall":
      return `/hall/${route.code}`;
    case "event":
      return route.place === EVENT_PLACES[0] ? `/events/${route.code}` : `/events/${route.code}/${route.place}`;
    case "register":
    case "mine":
    case "screen":
      return `/events/${route.code}/${EVENT_PAGES.find((one) => one.page === route.page)?.path}`;
    case "topic":
      return `/learn/${route.topic}`;
    case "sheet":
      return `/rules/${encodeURIComponent(route.key)}`;
    case "compare":
      return `/rules/${encodeURIComponent(route.left)}/${encodeURIComponent(route.right)}`;
    case "odds":
      return `/odds/${encodeURIComponent(route.key)}/${route.players}`;
    case "lost":
      return route.path;
    default:
      return `/${route.page}`;
  }
}
