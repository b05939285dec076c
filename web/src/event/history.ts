/** What an act of the record says: who did it, about whom, with what. */
import { lang, t } from "$lib/texts.svelte";
import { prizeName } from "./prizes";
import { guestName, stageName, type EventState } from "./state";

export type Told = Readonly<Record<string, unknown>>;

/** So many of a list are named; the rest is a number. */
const NAMED = 4;
/** A name of a prize that is longer than this is cut. */
const LONG = 20;
// Codes come from the server; each has its text.
const text = t as (key: string, values?: Record<string, unknown>) => string;

/** Who did it: a post of the event, or the guest. */
export function doer(by: string): string {
  return ["desk", "door", "prizes", "guest"].includes(by) ? text(`desk.role_${by}`) : "";
}

/** Acts that stay: a table that has begun is closed instead, and an event is moved by handing it over anew. */
const STAYS = ["open", "hand_off", "take_over"];

/** Whether the record offers to take an act back; nobody is taken away from a table that plays. */
export function canTakeBack(state: EventState, n: number, act: Told): boolean {
  if (n <= 1 || STAYS.includes(String(act["do"]))) return false;
  return act["do"] !== "merge" || state.tables[Number(act["into"])]?.status === "waiting";
}

/** What of an act is worth reading, beside the word for its kind. */
export function about(state: EventState, act: Told): string {
  const inner = act["act"] as Told | undefined;
  if (inner) return [`#${String(act["n"])}`, text(`desk.act_${String(inner["do"])}`), about(state, inner)].filter(Boolean).join(" · ");
  return parts(state, act).filter(Boolean).join(" · ");
}

function parts(state: EventState, act: Told): string[] {
  const at = table(act["table"]);
  switch (act["do"]) {
    case "plan":
      return [word(act["title"]), text(`desk.absent_${String(act["absent"] ?? "keep")}`)];
    case "session":
      return [word(act["name"]), t("desk.session_size", { tables: Number(act["tables"]), seats: Number(act["seats"] ?? 10) })];
    case "guests": {
      const first = Number(act["first"]);
      return [people(state, (act["guests"] as unknown[]).map((_, i) => first + i))];
    }
    case "here":
      return [people(state, act["guests"]), act["there"] === false ? t("desk.not_here_after_all") : ""];
    case "draw":
      return [state.view.sessions[Number(act["session"])]?.name ?? "", t("desk.tables_of", { n: (act["tables"] as unknown[]).length }), seed(act)];
    case "trade":
      return [(act["guests"] as number[]).map((guest) => guestName(state, guest)).join(" ⇄ ")];
    case "role":
      return [at, text(`event.${String(act["role"])}`), act["guest"] == null ? t("desk.no_role") : person(state, act["guest"])];
    case "split":
      return [`${at} → ${table(act["new"])}`, people(state, act["guests"])];
    case "merge":
      return [`${at} → ${table(act["into"])}`];
    case "close":
      return [at, champion(state, act), how(act)];
    case "hand":
      return [vouchers(state, act["vouchers"]) + (act["to"] == null ? "" : ` → ${person(state, act["to"])}`), word(act["desk"])];
    case "again":
      return [`${vouchers(state, [act["voucher"]])} → ${person(state, act["guest"])}`, seed(act)];
    case "stage":
      return [word(act["name"]), text(`desk.format_${String(act["format"])}`)];
    case "finalists":
      return [stage(state, act), people(state, act["guests"]), seed(act)];
    case "substitute":
      return [stage(state, act), `${person(state, act["out"])} → ${person(state, act["guest"])}`];
    case "final":
      return [stage(state, act), person(state, act["guest"]), word(act["faces"]), act["drawn"] ? t("table.dice_digital") : ""];
    case "hand_off":
    case "take_over":
      return [word(act["to"] ?? act["machine"])];
    case "undo":
      return [`#${String(act["n"])}`];
    default:
      return [act["vouchers"] ? vouchers(state, act["vouchers"]) : "", stage(state, act), person(state, act["guest"]), people(state, act["guests"]), at, seed(act)];
  }
}

const word = (value: unknown) => (typeof value === "string" ? value : "");
const table = (number: unknown) => (typeof number === "number" ? t("event.at_table", { n: number }) : "");
const seed = (act: Told) => (act["seed"] ? `${t("desk.seed")} ${String(act["seed"])}` : "");
const person = (state: EventState, guest: unknown) => (typeof guest === "number" ? guestName(state, guest) : "");

function stage(state: EventState, act: Told): string {
  const number = act["stage"];
  return typeof number === "number" ? stageName(state, number) || t("desk.stage_n", { n: number }) : "";
}

function listed(all: readonly string[]): string {
  const more = all.length > NAMED ? ` ${t("desk.and_more", { n: all.length - NAMED })}` : "";
  return all.slice(0, NAMED).join(lang() === "en" ? ", " : "、") + more;
}

function people(state: EventState, guests: unknown): string {
  return Array.isArray(guests) ? listed(guests.map((guest) => person(state, guest))) : "";
}

/** Each voucher with its number, its prize and who won it. */
function vouchers(state: EventState, numbers: unknown): string {
  return listed(
    (numbers as number[]).map((number) => {
      const voucher = state.vouchers[number];
      return voucher ? `#${number} ${short(prizeName(state, voucher, lang()))} (${guestName(state, voucher.guest)})` : `#${number}`;
    }),
  );
}

/** The begin of a long name: what is meant is said by the number before it. */
function short(name: string): string {
  const signs = [...name];
  return signs.length > LONG ? `${signs.slice(0, LONG - 1).join("").trimEnd()}…` : name;
}

function champion(state: EventState, act: Told): string {
  const guest = typeof act["champion"] === "number" ? state.tables[Number(act["table"])]?.seats[act["champion"]] : undefined;
  return guest === undefined ? t("desk.need_no_champion") : t("desk.champion", { name: guestName(state, guest) });
}

function how(act: Told): string {
  const way = act["how"] === "paper" ? t("desk.closed_paper") : act["how"] === "results" ? t("desk.closed_results") : "";
  return [way, act["early"] ? t("desk.closed_early") : ""].filter(Boolean).join(" · ");
}
