// Generated from src/bobing/wire/messages.py by `python -m bobing.wire.schema`.

export type Words = Record<string, string>;

/** How a table is run; what the rules do not say. */
export interface Settings {
  dice?: "digital" | "real";
  confirm?: "none" | "twice" | "two";
  joining?: "closed" | "open";
  absent_s?: number;
  absent?: "nothing" | "skip" | "throw";
  speed?: number;
  auto?: boolean;
  beacon?: "dice" | "drand" | "none";
  spill?: number;
  alarm?: boolean;
}

/** Who I am and what I have seen; the first message of a connection. */
export interface Hello {
  t: "hello";
  code: string;
  token: string;
  seen?: number;
  protocol?: number;
}

/** An act of the game, in the form of `docs/acts.md`. sure: a zhuangyuan throw was asked for twice. */
export interface Do {
  t: "do";
  cmd: string;
  at: number;
  act: Record<string, unknown>;
  sure?: boolean;
}

/** A second person has looked at the throw that waits: it is so, or it was a slip. */
export interface Confirm {
  t: "confirm";
  cmd: string;
  at: number;
  yes: boolean;
  roll?: string | null;
}

/** Throw digital dice for a seat. link: of the seat's own device. */
export interface Throw {
  t: "throw";
  cmd: string;
  at: number;
  seat: number;
  strength?: number;
  aim?: number;
  link?: string | null;
}

/** Before the first throw: draw two digital dice for a seat, which are counted off to the one that begins. */
export interface StartDice {
  t: "start_dice";
  cmd: string;
  at: number;
  seat: number;
  link?: string | null;
}

/** A player without a device of their own sits down, last in the order of play. */
export interface AddSeat {
  t: "add_seat";
  cmd: string;
  at: number;
  name: string;
}

/** Another name for a seat. */
export interface RenameSeat {
  t: "rename_seat";
  cmd: string;
  at: number;
  seat: number;
  name: string;
}

/** Before the game: take a seat away; the ones behind it move up. */
export interface RemoveSeat {
  t: "remove_seat";
  cmd: string;
  at: number;
  seat: number;
}

/** Before the game: put a seat at another place. */
export interface MoveSeat {
  t: "move_seat";
  cmd: string;
  at: number;
  seat: number;
  to: number;
}

/** Before the game: other rules, a sheet by key with changes laid on it. */
export interface SetRules {
  t: "set_rules";
  cmd: string;
  at: number;
  rules: RulesChoice;
}

/** Other settings. */
export interface SetSettings {
  t: "set_settings";
  cmd: string;
  at: number;
  settings: Settings;
}

/** Begin the game; `start` is the seat that throws first. */
export interface Begin {
  t: "begin";
  cmd: string;
  at: number;
  start?: number;
}

/** Take the device's right to a seat away (a lost phone, an unwanted guest); the seat and its cakes stay. */
export interface FreeSeat {
  t: "free_seat";
  cmd: string;
  at: number;
  seat: number;
}

/** The host plays this seat from the host's own device; null: none of them. */
export interface Sit {
  t: "sit";
  cmd: string;
  at: number;
  seat?: number | null;
}

/** After the end: the next game of these people is at the table `code`, which the host has made. */
export interface Rematch {
  t: "rematch";
  cmd: string;
  at: number;
  code: string;
}

/** Draw the dice to come anew, from fresh chance of everybody; counted, and shown to everybody. */
export interface DrawAgain {
  t: "draw_again";
  cmd: string;
  at: number;
}

/** The public chance that was announced: the signature of the drand round in hex, or the faces of real dice. */
export interface Beacon {
  t: "beacon";
  cmd: string;
  at: number;
  value: string;
  seat?: number | null;
}

/** The head of the chain of links that a seat's own device made for this attempt; it cannot change them any more. */
export interface Commit {
  t: "commit";
  seat: number;
  game: string;
  player: string;
}

/** The first link of that chain, once everybody's heads are known. */
export interface Reveal {
  t: "reveal";
  seat: number;
  game: string;
  link: string;
}

/** The answer to `link_wanted`: the link that goes into draw `k` of the seat. */
export interface Link {
  t: "link";
  seat: number;
  game: string;
  k: number;
  link: string;
}

/** This device has no links for its seat any more; the dice of the seat come without them from now on. */
export interface LostLinks {
  t: "lost_links";
  seat: number;
}

/** Still there. */
export interface Ping {
  t: "ping";
}

/** A named sheet, and house changes in the form of a rule file without `extends`. */
export interface RulesChoice {
  sheet?: string;
  house?: Record<string, unknown>;
}

/** One seat as everybody sees it. device: somebody's own holds it; online: it is there now, None if not known. */
export interface Seat {
  name: string;
  held: Record<string, number>;
  items?: Record<string, Record<string, number>>;
  guest?: number | null;
  points?: number;
  throws?: number;
  away?: boolean;
  lost_turn?: boolean;
  device?: boolean;
  online?: boolean | null;
}

/** Who holds the title of zhuangyuan, with which dice, and why, in words. */
export interface TitleView {
  seat: number;
  roll: string;
  combination: string;
  words: Record<string, string>;
}

/** A roll-off under way: who throws with how many dice, and what was thrown. */
export interface RollOffView {
  seats: number[];
  dice: number;
  reason: string;
  thrown: Record<string, string>;
}

/** A seat that waits for public chance of its own, and which was announced. */
export interface OwnChance {
  seat: number;
  plan: string;
}

/** A seat that these devices do not vouch for, though its own takes part. */
export interface Unheard {
  seat: number;
  devices: number[];
}

/** How digital dice are proved now (`docs/fairness.md`). */
export interface FairView {
  stage: "beacon" | "commit" | "ready" | "reveal";
  game: string;
  links: number;
  asked?: number[];
  t0?: string;
  sas?: string;
  plan?: string;
  own?: number[];
  late?: number[];
  alone?: OwnChance[];
  unheard?: Unheard[];
  k?: number[];
  restarts?: number;
  voids?: number;
  deadline?: number | null;
}

/** A zhuangyuan throw that waits until a second person confirms it. */
export interface ClaimView {
  seat: number;
  roll: string;
  words: Record<string, string>;
  by: string;
  n: number;
  again?: boolean;
}

/** The whole present state of a table; small enough to go out with every change. */
export interface View {
  phase: "lobby" | "over" | "play";
  seats: Seat[];
  order: number[];
  table: Record<string, number>;
  settings: Settings;
  pool?: Record<string, number>;
  next?: number | null;
  title?: TitleView | null;
  rolloff?: RollOffView | null;
  finished?: string | null;
  begun?: boolean;
  tally?: Record<string, number>;
  deadline?: number | null;
  rematch?: string | null;
  host?: number | null;
  fair?: FairView | null;
  receipt?: string;
  biased?: boolean;
  claim?: ClaimView | null;
}

/** One tier: its cakes, names, points of a cake, items, and how many of the 46,656 throws win it. */
export interface TierView {
  key: string;
  cakes: number;
  names: Record<string, string>;
  throws: number;
  points?: number;
  items?: Record<string, unknown>[];
}

/** The rules of a table: what a player sees of them, and the counts of its census. */
export interface RulesView {
  key: string;
  names: Record<string, string>;
  digest: string;
  tiers: TierView[];
  combinations: Record<string, number>;
  seats_min: number;
  direction: string;
  minutes?: number;
  choice?: RulesChoice;
}

/** What a digital draw is recomputed from: the seat's k-th draw, the server's link, and the device's, if any. */
export interface Proof {
  seat: number;
  k: number;
  s: string;
  c: string | null;
}

/** What happened to the proof of digital dice, behind so many acts, in the form of `docs/record.md`. */
export interface FairEvent {
  after: number;
  event: Record<string, unknown>;
}

/** One act in the history. */
export interface Line {
  n: number;
  act: Record<string, unknown>;
  words: Record<string, string[]>;
  at: number;
  seat?: number | null;
  roll?: string | null;
  combination?: string | null;
  moves?: Record<string, unknown>[];
  digital?: boolean;
  strength?: number;
  aim?: number;
  struck?: boolean;
  took?: number[];
  first?: Record<string, unknown> | null;
  why?: Record<string, string>;
  counting?: number[];
  title?: Record<string, string[]>;
  choices?: string[];
  items?: Record<string, string[]>;
  proof?: Proof | null;
}

/** What the token lets this client do. referee: of the event, who confirms throws and does nothing else. */
export interface You {
  role: "host" | "referee" | "seat" | "watch";
  seat?: number | null;
  paper?: boolean;
}

/** Everything, after `hello`. missed: one line on what happened since act `seen`. */
export interface Welcome {
  t: "welcome";
  code: string;
  n: number;
  you: You;
  title: string;
  rules: RulesView;
  view: View;
  lines: Line[];
  now: number;
  missed?: Record<string, string> | null;
  fair?: FairEvent[];
  protocol?: number;
}

/** Entry `n` of the table was added: its line, where it is an act of the game, and the state after it. */
export interface News {
  t: "news";
  n: number;
  view: View;
  line?: Line | null;
  rules?: RulesView | null;
  fair?: FairEvent[];
}

/** The history changed behind the last line (undo, correction): all lines, and the state. */
export interface Anew {
  t: "anew";
  n: number;
  view: View;
  lines: Line[];
  fair?: FairEvent[];
}

/** The command is carried out and stored as entry `n`. */
export interface Ack {
  t: "ack";
  cmd: string;
  n: number;
}

/** The command is not carried out: a stable code, and what to do, in three languages. */
export interface Refused {
  t: "refused";
  code: string;
  words: Record<string, string>;
  cmd?: string | null;
  n?: number;
  needs?: Record<string, number>;
  combination?: string;
}

/** Which seats' own devices are there now. */
export interface Presence {
  t: "presence";
  online: number[];
}

/** Whether what is shown comes up to two seconds late, because word between the servers is lost; throws are not. */
export interface Late {
  t: "late";
  late: boolean;
}

/** A prize that was won at a table of an event. voucher: its number at the prize desk; seat: who won it. */
export interface WonHere {
  voucher: number;
  seat: number;
  prize: Record<string, string>;
  state: "absent" | "handed" | "open" | "waived";
}

/** Which table of which event this is, behind the welcome and whenever it changes. */
export interface AtEvent {
  t: "at_event";
  event: string;
  title: string;
  table: number;
  stage?: Record<string, string>;
  closed?: boolean;
  early?: boolean;
  results?: boolean;
  prizes?: WonHere[];
  points?: number[];
}

/** Somebody throws for a seat, or the dice throw themselves: its device answers with `link`. */
export interface LinkWanted {
  t: "link_wanted";
  seat: number;
  game: string;
  k: number;
}

/** Answer to `ping`. */
export interface Pong {
  t: "pong";
  now: number;
}

/** The connection ends: `replaced` by another of the same token, `revoked`, `slow`, or `shut_down`. */
export interface Bye {
  t: "bye";
  why: string;
}

/** POST /api/tables: make a table. host: the seat among the players that the host's own device plays. */
export interface NewTable {
  rules?: RulesChoice;
  settings?: Settings;
  players?: string[];
  title?: string;
  host?: number | null;
}

/** POST /api/names/check: names of players, as they would be given. */
export interface Names {
  players: string[];
}

/** Its answer: the code, and the host's token. */
export interface NewTableMade {
  code: string;
  token: string;
}

/** POST /api/tables/CODE/join: take a new seat, a free one, or look on. */
export interface Joining {
  name?: string;
  seat?: number | null;
  watch?: boolean;
}

/** Its answer: a token, and the seat it holds. */
export interface Joined {
  token: string;
  seat: number | null;
}

/** POST /api/tables/CODE/links: a token for another device. The host may ask for any, a seat for its own. */
export interface Inviting {
  role: "host" | "seat" | "watch";
  seat?: number | null;
}

/** Its answer. */
export interface Invited {
  token: string;
}

export type ClientMessage = Hello | Do | Confirm | Throw | StartDice | AddSeat | RenameSeat | RemoveSeat | MoveSeat | SetRules | SetSettings | Begin | FreeSeat | Sit | Rematch | DrawAgain | Beacon | Commit | Reveal | Link | LostLinks | Ping;

export type ServerMessage = Welcome | News | Anew | Ack | Refused | Presence | Late | AtEvent | LinkWanted | Pong | Bye;

export const PROTOCOL = 1;
