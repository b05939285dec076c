// Generated from src/bobing/wire/event_messages.py by `python -m bobing.wire.schema`.
import type { Ack, Bye, ClaimView, Ping, Pong, Refused, RulesChoice, Settings, Words } from './protocol';

/** Who I am at the event; the first message of a connection. */
export interface EventHello {
  t: "event_hello";
  code: string;
  token: string;
  seen?: number;
}

/** An act of the event, in the form of `docs/event-acts.md`. */
export interface EventAct {
  t: "event_act";
  cmd: string;
  at: number;
  act: Record<string, unknown>;
  same_sheet?: boolean;
}

/** A guest as written at the desk. household: any word that those of one household share. */
export interface GuestEntry {
  name: string;
  phone?: string;
  household?: string;
  session?: number;
  staff?: boolean;
}

/** Guests come on the list; all or none. */
export interface EnterGuests {
  t: "enter_guests";
  cmd: string;
  at: number;
  guests: GuestEntry[];
  how?: "desk" | "list";
}

/** Another name or telephone number for a guest. */
export interface NameGuest {
  t: "name_guest";
  cmd: string;
  at: number;
  guest: number;
  name: string;
  phone?: string | null;
}

/** Names and numbers of guests are deleted for good; an empty list: of all. */
export interface EraseGuests {
  t: "erase_guests";
  cmd: string;
  at: number;
  guests?: number[];
}

/** A session with its rules as a sheet and house changes; the rest as in the act `session`. */
export interface SessionSettings {
  t: "session_settings";
  cmd: string;
  at: number;
  session: number;
  name: string;
  choice: RulesChoice;
  tables: number;
  seats?: number;
  limit?: number | null;
  household?: boolean;
  settings?: Settings;
  seconds?: number;
}

/** These tables begin; an empty list: all that wait and have guests enough. */
export interface OpenTables {
  t: "open_tables";
  cmd: string;
  at: number;
  tables?: number[];
}

/** These tables are closed with what their guests hold now. sure: prizes that are out may have to come back. */
export interface CloseTables {
  t: "close_tables";
  cmd: string;
  at: number;
  tables: number[];
  sure?: boolean;
  paper?: boolean;
}

/** The guests of a table go to another; where it plays still it is closed with what they hold now, as by */
export interface MergeTables {
  t: "merge_tables";
  cmd: string;
  at: number;
  table: number;
  into: number;
  paper?: boolean;
  sure?: boolean;
}

/** The device of a table that plays is to type in there again, after the desk did. */
export interface GiveKeys {
  t: "give_keys";
  cmd: string;
  at: number;
  table: number;
}

/** What the hall screens show: pages of all tables, one stage of the final, totals, or a notice alone. */
export interface ShowInHall {
  t: "show_in_hall";
  cmd: string;
  at: number;
  page: "final" | "notice" | "prizes" | "tables";
  stage?: number;
  notice?: string;
}

/** Whether guests may register by themselves. */
export interface Registration {
  t: "registration";
  cmd: string;
  at: number;
  open: boolean;
}

/** The server throws for the guest whose turn it is, in a stage of digital dice. */
export interface ThrowFinal {
  t: "throw_final";
  cmd: string;
  at: number;
  stage: number;
  guest: number;
}

/** Lots draw who gets the prize of an absent winner, where the event declared that. */
export interface AwardByLot {
  t: "award_by_lot";
  cmd: string;
  at: number;
  voucher: number;
}

/** A stage that drags is set to the faster format that the findings name. */
export interface FasterStage {
  t: "faster_stage";
  cmd: string;
  at: number;
  stage: number;
}

/** A table needs the referee, or needs them no more. */
export interface CallReferee {
  t: "call_referee";
  cmd: string;
  at: number;
  table: number;
  needed?: boolean;
}

/** The desk or a referee has looked at the champion's throw that waits at a table: it is so, or it was a slip. */
export interface ConfirmThrow {
  t: "confirm_throw";
  cmd: string;
  at: number;
  table: number;
  yes: boolean;
  claim?: number;
}

/** All links of a role end, and with them the right of the devices that came by them; of the desk all but this one. */
export interface EndLinks {
  t: "end_links";
  cmd: string;
  at: number;
  role: "desk" | "door" | "hall" | "prizes" | "referee" | "table";
  table?: number | null;
}

/** What the token lets this client do. table: for a device of a table. */
export interface EventYou {
  role: "desk" | "door" | "hall" | "prizes" | "referee" | "table";
  table?: number | null;
}

/** A guest. phone: its last digits alone, and not for hall screens. */
export interface GuestView {
  name: string;
  session: number;
  status: "listed" | "waiting" | "withdrawn";
  here?: boolean | null;
  phone?: string;
  household?: number | null;
  staff?: boolean;
  table?: number | null;
}

/** Prizes of a tier that a seat won, as the results that were typed in say. */
export interface TypedWon {
  seat: number;
  tier: string;
  cakes: number;
  item?: string;
}

/** The results that were typed in for a table, without its throws. champion: the seat; title: the throw. */
export interface TypedResults {
  won: TypedWon[];
  champion?: number | null;
  title?: string;
}

/** A table of the event. code: of its ordinary table, once it has begun. champion: the guest, when it is closed. */
export interface EventTableView {
  session: number;
  seats: number[];
  status: "closed" | "open" | "waiting";
  code?: string;
  head?: number | null;
  referee?: number | null;
  stage?: number | null;
  staff?: boolean;
  champion?: number | null;
  how?: string;
  early?: boolean;
  merged?: number | null;
  typed?: TypedResults | null;
}

/** A prize of a guest. tier: of the table's sheet, or the place in a stage. */
export interface VoucherView {
  guest: number;
  tier: string;
  state: string;
  item?: string;
  price?: number;
  table?: number | null;
  stage?: number | null;
  desk?: string;
  to?: number | null;
  before?: number | null;
  after?: number | null;
}

/** A session. tiers: keys, names and cakes, high to low. */
export interface SessionView {
  name: string;
  tables: number;
  seats: number;
  rules: Record<string, string>;
  choice: RulesChoice;
  tiers: Record<string, unknown>[];
  settings: Settings;
  limit?: number | null;
  household?: boolean;
  seconds?: number;
  drawn?: boolean;
}

/** A throw of a stage; without faces: its guest has left. */
export interface StageThrow {
  guest: number;
  faces: string | null;
  again?: number;
  sum?: number | null;
  hand?: string;
  counts?: boolean;
}

/** A group of a stage: its guests in order, their throws, whose throw is due with how many dice, or the places. */
export interface GroupView {
  guests: number[];
  throws: StageThrow[];
  due?: number | null;
  dice?: number;
  again?: number;
  tied?: number[];
  next?: number | null;
  ahead?: number[];
  places?: number[][];
  table?: number | null;
}

/** A stage of the final. name: as the organiser typed it, or ""; called: that, or what the stage is. */
export interface StageView {
  name: string;
  called: Record<string, string>;
  format: string;
  source: string;
  places: Record<string, unknown>[];
  groups: GroupView[];
  laps: number;
  next?: number[];
  target?: string;
  throws?: number;
  dice?: number;
  of_groups?: number;
  held?: boolean;
  digital?: boolean;
  expected?: number | null;
  rules?: Record<string, string> | null;
  hands?: Record<string, Record<string, string>>;
}

/** What does not fit together in the event, as `bobing.tournament.findings` finds it. */
export interface FindingView {
  code: string;
  values: Record<string, unknown>;
  serious?: boolean;
}

/** Where the pieces of one item are. */
export interface ItemView {
  item: string;
  planned: number;
  playing?: number;
  unwon?: number;
  bought?: number | null;
  in_store?: number | null;
  short?: number;
  open?: number;
  handed?: number;
  absent?: number;
  waived?: number;
  recalled?: number;
  value_out?: number;
}

/** A table that plays, as the board shows it. left: cakes by tier; needs: what it wants attention for. */
export interface BoardRow {
  left: Record<string, number>;
  throws?: number;
  last?: number | null;
  turn?: number | null;
  champion?: number | null;
  combination?: Record<string, string> | null;
  finished?: boolean;
  needs?: ("confirm" | "finished" | "no_champion" | "referee" | "stalled")[];
  said?: Record<string, string> | null;
  claim?: ClaimView | null;
}

/** What the hall screens show. */
export interface HallView {
  page?: "final" | "notice" | "prizes" | "tables";
  stage?: number;
  notice?: string;
}

/** What is small, and told whole each time. */
export interface EventView {
  title: string;
  currency: string;
  absent: string;
  keep_days: number;
  sessions: Record<string, SessionView>;
  stages: Record<string, StageView>;
  items: ItemView[];
  hall: HallView;
  next_guest: number;
  next_voucher: number;
  handed_to?: string | null;
  signed_off?: boolean;
  registration?: boolean;
  findings?: FindingView[];
}

/** Everything that the role may see, after `event_hello`. */
export interface EventWelcome {
  t: "event_welcome";
  code: string;
  n: number;
  you: EventYou;
  view: EventView;
  guests: Record<string, GuestView>;
  tables: Record<string, EventTableView>;
  vouchers: Record<string, VoucherView>;
  board: Record<string, BoardRow>;
  now: number;
}

/** What has changed: entries to put in the place of those of the same number, and numbers that are gone. */
export interface EventNews {
  t: "event_news";
  n: number;
  view: EventView;
  guests?: Record<string, GuestView>;
  tables?: Record<string, EventTableView>;
  vouchers?: Record<string, VoucherView>;
  gone?: Record<string, number[]>;
  notes?: string[][];
}

/** Rows of the board that have changed, at most twice a second. */
export interface BoardNews {
  t: "board";
  rows: Record<string, BoardRow>;
  now: number;
}

/** To a device of a table: it has begun, here is how to go there. */
export interface Seated {
  t: "seated";
  table: number;
  code: string;
  token: string;
}

/** POST /api/events: make an event. */
export interface NewEvent {
  title: string;
}

/** Its code and the token of its desk. */
export interface NewEventMade {
  code: string;
  token: string;
}

/** POST /api/events/{code}/passes: a token for another device, or for a guest's own page. */
export interface Pass {
  role: "desk" | "door" | "hall" | "prizes" | "referee" | "table" | "guest";
  table?: number | null;
  guest?: number | null;
}

/** POST /api/events/{code}/handover: to which machine the event goes, as people call it. */
export interface HandingOver {
  to?: string;
}

/** POST /api/events/{code}/takeback. sure: nobody goes on at the other machine. */
export interface TakingBack {
  machine?: string;
  sure?: boolean;
}

/** The event goes on here. */
export interface TakenBack {
  code: string;
}

/** POST /api/events/{code}/{what}.pdf: a paper. tables: those alone, else all. handed: with the vouchers of prizes */
export interface Printing {
  lang?: "en" | "zh-Hans" | "zh-Hant";
  address?: string;
  tables?: number[];
  handed?: boolean;
}

/** POST /api/events/{code}/tables/{table}: go to a table that has begun, to look on or to type in for it: its own */
export interface Entering {
  typing?: boolean;
}

/** One act of the event's log. struck: it was taken back; correct: another stands in its place. */
export interface LogLine {
  n: number;
  at: number;
  by: string;
  act: Record<string, unknown>;
  struck?: boolean;
  corrected?: boolean;
  notes?: string[][];
}

/** Acts of an event, the newest first; `more` says that there are older ones. */
export interface LogRead {
  lines: LogLine[];
  more: boolean;
}

/** A final that is ready-made: its key, and its stages as acts `stage`. */
export interface ReadyFinal {
  key: string;
  stages: Record<string, unknown>[];
}

/** All finals that are ready-made. */
export interface Finals {
  finals: ReadyFinal[];
}

/** POST /api/events/{code}/guests: a guest registers by themselves. */
export interface Registering {
  name: string;
  phone?: string;
  household?: string;
  session?: number;
  cmd?: string;
}

/** The guest's number, whether they have a place or wait behind how many, and the token of their own page. */
export interface Registered {
  guest: number;
  status: "listed" | "waiting";
  token: string;
  before?: number;
}

/** A session as those see it who may register. free: places left, None where there is no limit; waiting: guests. */
export interface OpenSession {
  name: string;
  free: number | null;
  waiting: number;
  household: boolean;
}

/** GET /api/events/{code}: what everybody may know of an event. open: whether guests may register by themselves. */
export interface EventFront {
  title: string;
  open: boolean;
  away: boolean;
  sessions: Record<string, OpenSession>;
  keep_days: number;
}

/** POST /api/events/{code}/me/leave: a guest gives the place back. erase: what is kept of them is deleted too. */
export interface Leaving {
  erase?: boolean;
}

/** A prize of a guest: its voucher, what it is, and where it stands. */
export interface MyPrize {
  voucher: number;
  prize: Record<string, string>;
  state: string;
  table: number | null;
}

/** GET /api/events/{code}/me: a guest's own page. seat: counts from 0; before: how many wait before them. */
export interface MyView {
  title: string;
  guest: number;
  name: string;
  session: string;
  status: "listed" | "waiting" | "withdrawn";
  here: boolean | null;
  before: number;
  limited: boolean;
  table: number | null;
  seat: number | null;
  playing: "closed" | "open" | "waiting" | null;
  prizes: MyPrize[];
  keep_days: number;
  away: boolean;
  over: boolean;
}

/** What is wrong with a line of a list. */
export interface Fault {
  line: number;
  code: string;
  words: Record<string, string>;
  value?: string;
}

/** A column of a list of which nothing is taken, counted from 1, and what the list calls it. */
export interface LeftOut {
  column: number;
  name?: string;
}

/** A line of a list with the name of a guest who is on the list of the event; it may be somebody else. */
export interface SameName {
  line: number;
  name: string;
  guest: number;
}

/** A guest list that was read: who is in it, or every line that is wrong. left_out: columns that are not taken. */
export interface ListRead {
  guests: GuestEntry[];
  faults: Fault[];
  left_out?: LeftOut[];
  same_name?: SameName[];
}

export type EventClientMessage = EventHello | EventAct | EnterGuests | NameGuest | EraseGuests | SessionSettings | OpenTables | CloseTables | MergeTables | GiveKeys | ShowInHall | CallReferee | ThrowFinal | AwardByLot | FasterStage | Registration | ConfirmThrow | EndLinks | Ping;

export type EventServerMessage = EventWelcome | EventNews | BoardNews | Seated | Ack | Refused | Pong | Bye;
