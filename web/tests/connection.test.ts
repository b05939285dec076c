/** The connection with a socket, a clock and a chance of our own: what is sent, when, and that nothing is sent twice. */
import { beforeEach, describe, expect, it } from "vitest";
import { ANSWER_MS, Connection, PING_MS, SILENCE_MS, WATCH_MS, type Socket } from "../src/lib/connection";
import type { Plan, TableState } from "../src/lib/live";
import { Queue, type Waiting } from "../src/lib/queue";
import type { Refused } from "../src/protocol";
import { line, news, view, welcome } from "./samples";

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: Record<string, unknown>[] = [];
  closed = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let sockets: FakeSocket[];
let timers: { at: number; what: () => void }[];
let now: number;
let shelf: readonly Waiting[];
let plans: Plan[];
let refusals: { refused: Refused; command: Waiting | undefined; held: boolean }[];
let states: (TableState | null)[];
/** When what was answered was asked, and whether the answer was taken in by then. */
let answers: [asked: number, n: number | undefined][];

function last(): FakeSocket {
  return sockets.at(-1) as FakeSocket;
}

function make(): Connection {
  let ids = 0;
  const queue = new Queue({ load: () => shelf, save: (all) => (shelf = all) }, () => `id-${shelf.length}-${ids++}`);
  const world = {
    connect: () => {
      sockets.push(new FakeSocket());
      return last();
    },
    later: (ms: number, what: () => void) => {
      const timer = { at: now + ms, what };
      timers.push(timer);
      return () => void (timers = timers.filter((one) => one !== timer));
    },
    now: () => now,
    random: () => 1,
  };
  return new Connection("ABCD2345", "token", 7, queue, world, {
    changed: (state, plan) => {
      states.push(state);
      plans.push(plan);
    },
    refused: (refused, command, held) => refusals.push({ refused, command, held }),
    answered: (asked) => answers.push([asked, states.at(-1)?.n]),
  });
}

function pass(ms: number): void {
  const end = now + ms;
  for (;;) {
    const due = timers.filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
    if (!due) break;
    timers = timers.filter((one) => one !== due);
    now = due.at;
    due.what();
  }
  now = end;
}

function opened(): Connection {
  const connection = make();
  connection.start();
  last().onopen?.();
  last().say(welcome({ n: 2 }));
  return connection;
}

beforeEach(() => {
  sockets = [];
  timers = [];
  now = 1_000_000;
  shelf = [];
  plans = [];
  refusals = [];
  states = [];
  answers = [];
});

describe("coming in", () => {
  it("says hello first, with the act it saw last", () => {
    make().start();
    expect(last().sent).toEqual([]);
    last().onopen?.();
    expect(last().sent).toEqual([{ t: "hello", code: "ABCD2345", token: "token", seen: 7 }]);
  });

  it("is open once it was welcomed, and knows the server's clock", () => {
    const connection = opened();
    expect(connection.link).toBe("open");
    expect(connection.state?.n).toBe(2);
    expect(connection.skew).toBe(welcome({}).now - now);
  });

  it("keeps the server's clock as it was where that says no time", () => {
    const connection = opened();
    const { skew } = connection;
    for (const said of ["x", 1e400, null, undefined]) last().say({ t: "pong", now: said });
    last().onmessage?.({ data: '{"t":"pong","now":1e400}' });
    expect(connection.skew).toBe(skew);
  });

  it("stays the table that was opened, whatever the server calls it", () => {
    const connection = opened();
    last().say(welcome({ n: 2, code: "ZZZZ2345" }));
    expect(connection.state?.code).toBe("ABCD2345");
  });

  it("gives up a connection that never answers", () => {
    const connection = make();
    connection.start();
    pass(SILENCE_MS);
    expect(last().closed || connection.link === "lost").toBe(true);
    expect(connection.link).toBe("lost");
  });
});

describe("commands", () => {
  it("go out one at a time, each for the version that is known then", () => {
    const connection = opened();
    connection.send({ t: "do", act: { seat: 0, roll: "111234" } });
    connection.send({ t: "do", act: { seat: 1, roll: "222345" } });
    expect(last().sent.slice(1)).toMatchObject([{ t: "do", at: 2, act: { seat: 0 } }]);
    last().say(news({ n: 3, line: line({ n: 1 }) }));
    expect(last().sent).toHaveLength(2);
    last().say({ t: "ack", cmd: last().sent[1]?.cmd, n: 3 });
    expect(last().sent[2]).toMatchObject({ t: "do", at: 3, act: { seat: 1 } });
  });

  it("wait while there is no connection, in order, and are kept across a reload", () => {
    const connection = opened();
    last().onclose?.();
    connection.send({ t: "do", act: { seat: 0, roll: "111234" } });
    connection.send({ t: "do", act: { seat: 1, roll: "222345" } });
    expect(shelf.map((one) => one.draft)).toMatchObject([{ act: { seat: 0 } }, { act: { seat: 1 } }]);
    const again = make();
    again.start();
    last().onopen?.();
    last().say(welcome({ n: 9 }));
    expect(last().sent[1]).toMatchObject({ at: 9, act: { seat: 0 }, cmd: shelf[0]?.cmd });
  });

  it("that were sent before the connection broke are sent again word for word", () => {
    const connection = opened();
    connection.send({ t: "do", act: { seat: 0, roll: "111234" } });
    const first = last().sent[1];
    last().onclose?.();
    pass(2000);
    last().onopen?.();
    last().say(welcome({ n: 5 })); // others went on meanwhile
    expect(last().sent[1]).toEqual(first);
    last().say({ t: "ack", cmd: first?.cmd, n: 3 });
    expect(connection.queue.size).toBe(0);
  });

  it("behind a refused one are held until somebody has looked", () => {
    const connection = opened();
    const cmd = connection.send({ t: "do", act: { seat: 0, roll: "111234" } });
    connection.send({ t: "do", act: { seat: 1, roll: "222345" } });
    last().say({ t: "refused", code: "act/not_your_turn", words: {}, cmd, n: 2 });
    expect(refusals).toMatchObject([{ held: true, command: { draft: { act: { seat: 0 } } } }]);
    expect(last().sent).toHaveLength(2);
    connection.go();
    expect(last().sent[2]).toMatchObject({ act: { seat: 1 } });
  });

  it("typed in for a seat whose turn it still is go out again for the table as it is now", () => {
    const connection = opened();
    const cmd = connection.send({ t: "do", act: { seat: 0, roll: "111234" } });
    last().say(news({ n: 6, view: view({ next: 0 }) }));
    last().say({ t: "refused", code: "table/stale", words: {}, cmd, n: 6 });
    expect(refusals).toEqual([]);
    expect(last().sent[2]).toMatchObject({ at: 6, act: { seat: 0 } });
    last().say({ t: "refused", code: "table/stale", words: {}, cmd: last().sent[2]?.cmd, n: 6 });
    expect(refusals).toHaveLength(1);
  });

  it("for another seat than that are refused", () => {
    const connection = opened();
    const cmd = connection.send({ t: "do", act: { seat: 0, roll: "111234" } });
    last().say(news({ n: 6, view: view({ next: 1 }) }));
    last().say({ t: "refused", code: "table/stale", words: {}, cmd, n: 6 });
    expect(refusals).toHaveLength(1);
  });

  it("wait for the answer to a question, which goes before them", () => {
    const connection = opened();
    const cmd = connection.send({ t: "do", act: { seat: 0, roll: "444412" } });
    connection.send({ t: "do", act: { seat: 1, roll: "222345" } });
    last().say({ t: "refused", code: "table/confirm", words: {}, cmd, n: 2 });
    connection.send({ t: "do", act: { seat: 0, roll: "444412" }, sure: true }, true);
    connection.go();
    expect(last().sent[2]).toMatchObject({ act: { seat: 0 }, sure: true });
    last().say({ t: "ack", cmd: last().sent[2]?.cmd, n: 3 });
    expect(last().sent[3]).toMatchObject({ act: { seat: 1 } });
  });

  it("can be dropped", () => {
    const connection = opened();
    last().onclose?.();
    connection.send({ t: "throw", seat: 0 });
    connection.drop();
    expect(shelf).toEqual([]);
  });
});

describe("losing it", () => {
  it("tries again, each time a little later, and no later than a quarter of a minute", () => {
    opened();
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      last().onclose?.();
      const before = now;
      const count = sockets.length;
      while (sockets.length === count) pass(50);
      waits.push(now - before);
    }
    expect(waits.slice(0, 5)).toEqual([400, 800, 1600, 3200, 6400]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(15_050);
  });

  it("asks whether the server is there, and lets go of one that is silent", () => {
    const connection = opened();
    pass(PING_MS);
    expect(last().sent.at(-1)).toEqual({ t: "ping" });
    pass(ANSWER_MS - 1);
    expect(connection.link).toBe("open");
    pass(1);
    expect(connection.link).not.toBe("open");
  });

  it("waits no longer for the answer to a command, and asks for it at the next connection", () => {
    const connection = opened();
    pass(PING_MS / 2);
    const cmd = connection.send({ t: "do", act: { seat: 0, roll: "111234" } });
    pass(ANSWER_MS - 1);
    expect(connection.link).toBe("open");
    pass(1);
    expect(connection.link).not.toBe("open");
    pass(1000);
    last().onopen?.();
    last().say(welcome({ n: 3 }));
    expect(last().sent.at(-1)).toMatchObject({ cmd });
  });

  it("knows of an answer when that was asked, however late it comes, and forgets what the lost one was asked", () => {
    opened();
    const asked = now;
    expect(answers).toEqual([[asked, 2]]);
    pass(PING_MS);
    last().say(news({ n: 3 }));
    pass(PING_MS);
    last().say({ t: "pong", now: 0 });
    last().say({ t: "pong", now: 0 });
    last().say({ t: "pong", now: 0 }); // nobody asked
    expect(answers.slice(1)).toEqual([
      [asked + PING_MS, 3],
      [asked + 2 * PING_MS, 3],
    ]);
    pass(PING_MS);
    last().onclose?.();
    pass(1000);
    last().onopen?.();
    pass(500);
    last().say(welcome({ n: 4 }));
    expect(answers.slice(3)).toEqual([[now - 500, 4]]);
  });

  it.each([
    ["where a round of drand is to be named", { settings: { beacon: "drand" as const } }, WATCH_MS],
    ["where one was", { fair: { stage: "ready" as const, game: "", links: 8, plan: "01ab" } }, WATCH_MS],
    ["not where the game is over", { settings: { beacon: "drand" as const }, phase: "over" as const }, PING_MS],
    ["not with dice", { settings: { beacon: "dice" as const } }, PING_MS],
  ])("asks more often %s", (_, more, ms) => {
    make().start();
    last().onopen?.();
    last().say(welcome({ n: 2, view: view(more) }));
    const pings = () => last().sent.filter(({ t }) => t === "ping").length;
    pass(ms - 1);
    expect(pings()).toBe(0);
    pass(1);
    expect(pings()).toBe(1);
  });

  it("does not fight with another device that took the seat, until it is told to", () => {
    const connection = opened();
    last().say({ t: "bye", why: "replaced" });
    expect(connection.link).toBe("replaced");
    pass(60_000);
    expect(sockets).toHaveLength(1);
    connection.takeOver();
    expect(sockets).toHaveLength(2);
  });

  it("comes back after the server was shut down", () => {
    const connection = opened();
    last().say({ t: "bye", why: "shut_down" });
    last().onclose?.();
    expect(connection.link).toBe("lost");
    pass(1000);
    expect(sockets).toHaveLength(2);
  });

  it("ends where the token no longer counts", () => {
    const connection = make();
    connection.start();
    last().onopen?.();
    last().say({ t: "refused", code: "table/unknown_token", words: {} });
    expect(connection.link).toBe("revoked");
    pass(60_000);
    expect(sockets).toHaveLength(1);
  });

  it("hears nothing more from a connection that it gave up", () => {
    const connection = opened();
    const old = last();
    old.onclose?.();
    pass(1000);
    old.say(news({ n: 99, view: view({ next: 3 }) }));
    expect(connection.state?.n).toBe(2);
  });
});

describe("what looks back", () => {
  it("is for the table as it was seen, and not sent for another", () => {
    const connection = opened();
    last().onclose?.();
    connection.send({ t: "do", act: { seat: 0, roll: "111234" } });
    connection.send({ t: "do", act: { undo: 1 } });
    connection.send({ t: "do", act: { correct: 1, act: { seat: 0, roll: "111235" } } }, false, 1);
    pass(2000);
    last().onopen?.();
    last().say(welcome({ n: 9, view: view({ next: 0 }) }));
    expect(last().sent[1]).toMatchObject({ at: 9, act: { seat: 0 } });
    last().say({ t: "ack", cmd: last().sent[1]?.cmd, n: 10 });
    expect(last().sent[2]).toMatchObject({ at: 2, act: { undo: 1 } });
    last().say({ t: "refused", code: "table/stale", words: {}, cmd: last().sent[2]?.cmd, n: 10 });
    expect(refusals).toMatchObject([{ refused: { code: "table/stale" }, command: { draft: { act: { undo: 1 } } } }]);
    connection.go();
    expect(last().sent[3]).toMatchObject({ at: 1, act: { correct: 1 } });
  });
});
