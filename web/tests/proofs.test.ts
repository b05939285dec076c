import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { dicePlan, diceBeacon } from "../src/fair/beacon";
import { hex } from "../src/fair/bytes";
import { signedByDrand } from "../src/fair/drand";
import type { AttemptEvent, FairEvent, Proof } from "../src/fair/events";
import { Proofs, type Act } from "../src/fair/proofs";
import { Dealer, RULES, type Entry } from "./dealer";

const vectors = JSON.parse(readFileSync(new URL("../../vectors/fairness/bobing-fair-1.json", import.meta.url), "utf8"));

function follow(entries: readonly Entry[]): Proofs {
  const proofs = new Proofs(RULES, signedByDrand);
  let n = 0;
  for (const entry of entries) {
    if ("t" in entry) proofs.event(entry);
    else proofs.act(++n, entry.act, entry.proof);
  }
  return proofs;
}

function roll(dealer: Dealer, seat: number, k: number): Entry & { proof: Proof } {
  const { proof, faces, spill } = dealer.draw(seat, k);
  return { act: { seat, roll: faces, ...(spill && { spill }) }, proof };
}

const verdicts = (proofs: Proofs) => proofs.judged.map(({ verdict, why }) => why ?? verdict);

function small(owns = [true, true, false]): { dealer: Dealer; game: Entry[] } {
  const dealer = new Dealer();
  const game = [...dealer.opened(owns), ...[0, 1, 2, 0, 1, 2].map((seat, i) => roll(dealer, seat, i < 3 ? 1 : 2))];
  return { dealer, game };
}

test("every throw of a game is proved; a seat without a device goes by the server's chain alone", () => {
  const proofs = follow(small().game);
  expect(proofs.faults).toEqual([]);
  expect(verdicts(proofs)).toEqual(["PROVED-A", "PROVED-A", "PROXY", "PROVED-A", "PROVED-A", "PROXY"]);
});

test("without any device nothing is revealed, which is said too, and everything goes by the server's chains", () => {
  const dealer = new Dealer();
  const [attempt, reveals, ready] = [dealer.attempt([false, false]), dealer.reveals(), dealer.ready()];
  const throws = [roll(dealer, 0, 1), roll(dealer, 1, 1)];
  const proofs = follow([attempt, reveals, ready, ...throws]);
  expect(proofs.faults).toEqual([]);
  expect(verdicts(proofs)).toEqual(["PROXY", "PROXY"]);
  expect(follow([attempt, ready, ...throws]).faults).toEqual(["order"]);
});

test("a throw taken back and thrown again has the same number and the same dice", () => {
  const { dealer, game } = small();
  const again = [...game, { act: { undo: 5 }, proof: null }, roll(dealer, 1, 2), roll(dealer, 2, 2), roll(dealer, 0, 3)];
  const proofs = follow(again);
  expect(verdicts(proofs).slice(6)).toEqual(["PROVED-A", "PROXY", "PROVED-A"]);
  const freely = follow([...game, { act: { undo: 5 }, proof: null }, roll(dealer, 1, 3)]);
  expect(verdicts(freely).at(-1)).toBe("number");
});

test("an undo that is undone brings the numbers back", () => {
  const { dealer, game } = small();
  const back = [...game, { act: { undo: 4 }, proof: null }, { act: { undo: 7 }, proof: null }, roll(dealer, 0, 3)];
  expect(verdicts(follow(back)).at(-1)).toBe("PROVED-A");
});

test("what is itself a change is taken back alone: nobody corrects it into dice", () => {
  const { game } = small();
  const dice = { seat: 1, roll: "444444" };
  const changes: Act[] = [{ undo: 5 }, { correct: 4, act: { seat: 0, roll: (game[6] as { act: Act }).act.roll, choose: "yixiu" } }];
  for (const act of changes) {
    expect(follow([...game, { act, proof: null }, { act: { undo: 7 }, proof: null }]).faults).toEqual([]);
    expect(follow([...game, { act, proof: null }, { act: { correct: 7, act: dice }, proof: null }]).faults).toEqual(["order"]);
  }
});

test("a correction leaves the dice as they fell", () => {
  const { game } = small();
  const dice = (game[3] as { act: Act }).act.roll;
  const choice = { correct: 1, act: { seat: 0, roll: dice, choose: "yixiu" } };
  expect(verdicts(follow([...game, { act: choice, proof: null }]))).toHaveLength(6);
  const other = { correct: 1, act: { seat: 0, roll: dice === "111111" ? "222222" : "111111" } };
  expect(verdicts(follow([...game, { act: other, proof: null }])).at(-1)).toBe("faces");
});

test("a seat that lost its links goes on without them, and has them no more", () => {
  const { dealer, game } = small();
  const linked = roll(dealer, 1, 3);
  const lost = [...game, dealer.lose(1), roll(dealer, 1, 3)];
  const proofs = follow(lost);
  expect(verdicts(proofs).at(-1)).toBe("PROXY");
  expect(proofs.lost).toEqual([1]);
  expect(verdicts(follow([...game, roll(dealer, 1, 3)])).at(-1)).toBe("player_link"); // without saying so
  expect(verdicts(follow([...lost.slice(0, -1), linked])).at(-1)).toBe("player_link");
});

test("a new attempt counts from one, goes on from the one before, and is counted", () => {
  const { dealer, game } = small();
  const again = [dealer.attempt([true, true, false], "again"), dealer.reveals(), dealer.ready()];
  const proofs = follow([...game, ...again, roll(dealer, 0, 1)]);
  expect(proofs.faults).toEqual([]);
  expect(proofs.restarts).toBe(1);
  expect(verdicts(proofs).at(-1)).toBe("PROVED-A");
  const hidden = new Dealer();
  hidden.attempt([true]);
  expect(follow([...game, hidden.attempt([true], "again")]).faults).toEqual(["prev"]);
  expect(follow([...game, dealer.attempt([true], "begin")]).faults).toEqual(["order"]);
});

test("a void attempt is counted; nothing can be thrown in it", () => {
  const dealer = new Dealer();
  const first = [dealer.attempt([true, true]), { t: "void", missing: [1] } as FairEvent];
  const thrown = follow([...first, roll(dealer, 0, 1)]);
  expect(verdicts(thrown)).toEqual(["not_ready"]);
  const proofs = follow([...first, dealer.attempt([true, false], "void"), dealer.reveals(), dealer.ready(), roll(dealer, 0, 1)]);
  expect(proofs.faults).toEqual([]);
  expect(proofs.voids).toBe(1);
  expect(verdicts(proofs)).toEqual(["PROVED-A"]);
});

test("starting dice and roll-offs are draws like the others; a repeated start repeats its dice", () => {
  const dealer = new Dealer();
  const opened = dealer.opened([true, true]);
  const { proof, faces } = dealer.draw(0, 1, 2);
  const start = { act: { start: { seat: 0, dice: faces } }, proof };
  const { proof: next, faces: three } = dealer.draw(0, 2, 3);
  const off = { act: { seat: 0, rolloff: three }, proof: next };
  expect(verdicts(follow([...opened, start, off]))).toEqual(["PROVED-A", "PROVED-A"]);
  const other = { act: { start: { seat: 1, dice: faces } }, proof };
  expect(verdicts(follow([...opened, start, { act: { undo: 1 }, proof: null }, other]))).toEqual(["PROVED-A", "PROVED-A"]);
  expect(verdicts(follow([...opened, other]))).toEqual(["no_seat"]);
});

test("the dice for who begins use up no draw once the game has begun", () => {
  const { dealer, game } = small();
  const { proof, faces } = dealer.draw(0, 3, 2);
  const start = { act: { start: { seat: 0, dice: faces } }, proof };
  expect(verdicts(follow([...game, start, roll(dealer, 1, 3)]))).toEqual([...verdicts(follow(game)), "order", "PROVED-A"]);
});

test("the real dice that went in are told, for all and for one seat, to be held against those that fell", () => {
  const dealer = new Dealer(hex(dicePlan(6)));
  const thrown = (faces: string) => hex(diceBeacon(faces));
  const opened = [dealer.attempt([true, true]), dealer.reveals(), dealer.ready(thrown("362451"))];
  expect(follow(opened).cover?.thrown).toEqual([{ seat: null, faces: "362451" }]);
  expect(follow(small().game).cover?.thrown).toEqual([]);
});

test("a die that leaves the bowl is drawn too", () => {
  const dealer = new Dealer("", 6000);
  const game: Entry[] = [...dealer.opened([true])];
  for (let k = 1; k <= 8; k++) game.push(roll(dealer, 0, k));
  expect(new Set(verdicts(follow(game)))).toEqual(new Set(["PROVED-A"]));
  const turned = game.map((entry) => ("act" in entry ? { ...entry, act: { ...entry.act, spill: entry.act.spill !== true } } : entry));
  expect(new Set(verdicts(follow(turned)))).toEqual(new Set(["faces"]));
});

describe("a seat that comes late", () => {
  const begun = () => {
    const { dealer, game } = small();
    return { dealer, game: [...game, dealer.late(3, true)] };
  };
  /** The next draw of either device. */
  const next = (dealer: Dealer) => [roll(dealer, 0, 3), roll(dealer, 1, 3)] as const;

  test("waits until every device has drawn twice", () => {
    const { dealer, game } = begun();
    const lap = [roll(dealer, 0, 4), roll(dealer, 1, 4)];
    const proofs = follow([...game, ...next(dealer), ...lap, dealer.lateReady(3, lap.map(({ proof }) => proof)), roll(dealer, 3, 1)]);
    expect(proofs.faults).toEqual([]);
    expect(proofs.late).toEqual([3]);
    expect(verdicts(proofs).at(-1)).toBe("PROVED-A");
    expect(verdicts(follow([...game, roll(dealer, 3, 1)])).at(-1)).toBe("not_ready");
  });

  test("does not come in before, nor on other links than those shown", () => {
    const { dealer, game } = begun();
    const [held, other] = next(dealer); // their links may have left the phones before the seat came
    const [first, second] = [roll(dealer, 0, 4), roll(dealer, 1, 4)];
    const waited = [...game, held, other];
    expect(follow([...waited, first, dealer.lateReady(3, [first.proof])]).faults).toEqual(["late"]);
    expect(follow([...waited, first, second, dealer.lateReady(3, [second.proof, first.proof])]).faults).toEqual(["late"]);
    expect(follow([...waited, first, second, dealer.lateReady(3, [first.proof, second.proof])]).faults).toEqual([]);
    expect(follow([...waited, second, first, dealer.lateReady(3, [first.proof, second.proof])]).faults).toEqual([]);
    expect(follow([...waited, dealer.lateReady(3, [held.proof, other.proof])]).faults).toEqual(["late"]);
  });

  test("waits for nobody who came behind it, and these for nobody who waited with them", () => {
    const { dealer, game } = begun();
    const fourth = dealer.late(4, true);
    const lap = [roll(dealer, 0, 4), roll(dealer, 1, 4)];
    const proofs = lap.map(({ proof }) => proof);
    const came = [...game, fourth, ...next(dealer), ...lap, dealer.lateReady(4, proofs), roll(dealer, 4, 1), roll(dealer, 4, 2)];
    expect(follow([...came, dealer.lateReady(3, proofs), roll(dealer, 3, 1)]).faults).toEqual([]);
  });

  test("does not wait for who is away, or has lost the links, and is not called proved then, but for who it is not", () => {
    const away = { act: { seat: 1, leave: true }, proof: null };
    for (const absent of [() => away, (dealer: Dealer) => dealer.lose(1)]) {
      const { dealer, game } = begun();
      const first = roll(dealer, 0, 4);
      const came = follow([...game, absent(dealer), roll(dealer, 0, 3), first, dealer.lateReady(3, [first.proof]), roll(dealer, 3, 1)]);
      expect(came.faults).toEqual([]);
      expect(came.judged.at(-1)).toMatchObject({ seat: 3, verdict: "PROXY", unheard: [1] });
    }
  });

  test("is proved where who is away threw before leaving; who never had a device is not asked for", () => {
    const { dealer, game } = begun();
    const away = { act: { seat: 1, leave: true }, proof: null };
    const lap = [roll(dealer, 0, 4), roll(dealer, 1, 4)];
    const came = follow([...game, ...next(dealer), ...lap, away, dealer.lateReady(3, lap.map(({ proof }) => proof)), roll(dealer, 3, 1)]); // prettier-ignore
    expect(came.judged.at(-1)).toMatchObject({ seat: 3, verdict: "PROVED-A" });
    expect(came.judged.at(-1)).not.toHaveProperty("unheard");
  });

  test("gets no seed of the others' links where public chance was announced", () => {
    const dealer = new Dealer(hex(dicePlan(6)));
    const opened = [dealer.attempt([true, true]), dealer.reveals(), dealer.ready(hex(diceBeacon("123456")))];
    expect(follow([...opened, dealer.late(2, true)]).faults).toEqual(["order"]);
  });
});

describe("level B", () => {
  const at = 1_692_803_367_000 + 3000 * 657_412;

  function drand(closed: number, revealed: number, beacon = vectors.cases[1].beacon_bytes) {
    const dealer = new Dealer(vectors.cases[1].plan);
    const opened = [dealer.attempt([true, false], "begin", closed), dealer.reveals(revealed), dealer.ready(beacon)];
    return follow([...opened, roll(dealer, 0, 1), roll(dealer, 1, 1)]);
  }

  test("with a round of drand that was named before it came out", () => {
    const proofs = drand(at - 30_000, at - 1);
    expect(proofs.faults).toEqual([]);
    expect(verdicts(proofs)).toEqual(["PROVED-B", "PROXY"]);
  });

  test.each([
    ["named too late", at - 29_999, at - 1, undefined, "time"],
    ["revealed when it was out", at - 30_000, at, undefined, "time"],
    ["another signature", at - 30_000, at - 1, vectors.cases[1].beacon_bytes.replace(/b$/, "c"), "signature"],
    ["no beacon", at - 30_000, at - 1, "", "beacon"],
  ])("%s", (_, closed, revealed, beacon, why) => {
    const proofs = drand(closed, revealed, beacon);
    expect(proofs.faults).toEqual([why]);
    expect(verdicts(proofs)).toEqual([why, why]);
  });

  test("behind a signature that is forged no other is looked at", () => {
    const asked: number[] = [];
    const proofs = new Proofs(RULES, (round) => asked.push(round) < 0);
    const dealer = new Dealer(vectors.cases[1].plan);
    for (const event of [dealer.attempt([true], "begin", at - 40_000), dealer.reveals(at - 1), dealer.ready(vectors.cases[1].beacon_bytes)]) proofs.event(event);
    for (let i = 0; i < 3; i++) proofs.event(dealer.ready(vectors.cases[1].beacon_bytes));
    expect([proofs.faults, asked]).toEqual([["signature"], [657_413]]);
  });

  test("with real dice read aloud", () => {
    const dealer = new Dealer(hex(dicePlan(30)));
    const opened = [dealer.attempt([true]), dealer.reveals(), dealer.ready(hex(diceBeacon("362451".repeat(5))))];
    expect(verdicts(follow([...opened, roll(dealer, 0, 1)]))).toEqual(["PROVED-B"]);
  });
});

describe("a game in which something was changed", () => {
  const { dealer, game } = small();
  const change = (at: number, with_: (entry: never) => unknown) => game.map((entry, i) => (i === at ? with_(entry as never) : entry)) as Entry[];
  const turn = (text: string) => (text.startsWith("0") ? "1" : "0") + text.slice(1);
  type Opened = AttemptEvent;
  const cases: [string, Entry[]][] = [
    ["faces", change(4, (one: { act: { roll: string } }) => ({ ...one, act: { seat: 1, roll: one.act.roll === "111111" ? "222222" : "111111" } }))],
    ["the server's link", change(4, (one: { proof: Proof }) => ({ ...one, proof: { ...one.proof, s: turn(one.proof.s) } }))],
    ["the device's link", change(4, (one: { proof: Proof }) => ({ ...one, proof: { ...one.proof, c: turn(one.proof.c!) } }))],
    ["no link of the device", change(4, (one: { proof: Proof }) => ({ ...one, proof: { ...one.proof, c: null } }))],
    ["no proof", change(4, (one: { act: Act }) => ({ ...one, proof: null }))],
    ["a throw left out", game.toSpliced(4, 1)],
    ["a throw doubled", game.toSpliced(4, 0, game[4]!)],
    ["two throws of a seat in another order", game.toSpliced(4, 1, game[7]!).toSpliced(7, 1, game[4]!)],
    ["whose throw it was", change(4, (one: { act: Act }) => ({ ...one, act: { ...one.act, seat: 0 } }))],
    ["T0", change(0, (one: Opened) => ({ ...one, t0: turn(one.t0) }))],
    ["the head of a server's chain", change(0, (one: Opened) => ({ ...one, seats: one.seats.map((seat) => ({ ...seat, server: turn(seat.server) })) }))],
    ["the head of a device", change(0, (one: Opened) => ({ ...one, seats: one.seats.map((seat) => ({ ...seat, player: seat.player && turn(seat.player) })) }))],
    ["a device left out", change(0, (one: Opened) => ({ ...one, seats: one.seats.map((seat) => ({ ...seat, player: null })) }))],
    ["the game's id", change(0, (one: Opened) => ({ ...one, game: turn(one.game) }))],
    ["the length of the chains", change(0, (one: Opened) => ({ ...one, links: 9 }))],
    ["a plan", change(0, (one: Opened) => ({ ...one, plan: hex(dicePlan(30)) }))],
    ["an attempt before", change(0, (one: Opened) => ({ ...one, prev: turn(one.prev) }))],
    ["spills", change(0, (one: Opened) => ({ ...one, spill: 1 }))],
    ["a reveal", change(1, (one: { links: { link: string }[] }) => ({ ...one, links: one.links.map((link) => ({ ...link, link: turn(link.link) })) }))],
    ["a reveal left out", change(1, (one: { links: unknown[] }) => ({ ...one, links: one.links.slice(1) }))],
    ["no reveals", game.toSpliced(1, 1)],
    ["J", change(2, (one: { j: string }) => ({ ...one, j: turn(one.j) }))],
    ["the six signs", change(2, (one: { sas: string }) => ({ ...one, sas: turn(one.sas) }))],
    ["a beacon", change(2, (one: object) => ({ ...one, beacon: "02" }))],
    ["no seed", game.toSpliced(2, 1)],
    ["hex in capitals", change(4, (one: { proof: Proof }) => ({ ...one, proof: { ...one.proof, s: one.proof.s.toUpperCase() } }))],
  ];

  test.each(cases)("%s: it is found", (_, changed) => {
    const proofs = follow(changed);
    expect(proofs.faults.length + proofs.judged.filter(({ verdict }) => verdict === "FAILED").length).toBeGreaterThan(0);
  });

  test("under other rules T0 does not hold", () => {
    const proofs = new Proofs("34".repeat(32));
    for (const entry of game) if ("t" in entry) proofs.event(entry);
    expect(proofs.faults).toContain("t0");
  });

  test("an empty head, or one that another device has too, is not taken", () => {
    const twice = new Dealer();
    twice.begin();
    const own = dealer.seats.get(0)!.own!;
    expect(follow([twice.attempt([own, own])]).faults).toEqual(["heads"]);
  });
});

test("a start that is thrown again in a new attempt lies as it lay, and is no draw of that attempt", () => {
  const dealer = new Dealer();
  const opened = dealer.opened([true, true]);
  const { proof, faces } = dealer.draw(0, 1, 2);
  const start = { act: { start: { seat: 0, dice: faces } }, proof };
  const undo = { act: { undo: 1 }, proof: null };
  const again = [dealer.attempt([true, true], "again"), dealer.reveals(), dealer.ready()];
  const proofs = follow([...opened, start, undo, ...again, { ...start, act: { start: { seat: 1, dice: faces } } }, roll(dealer, 0, 1)]);
  expect(proofs.faults).toEqual([]);
  expect(verdicts(proofs)).toEqual(["PROVED-A", "PROVED-A", "PROVED-A"]);
});

test("real dice after digital ones are typed in, until the dice are sealed anew", () => {
  const { dealer, game } = small();
  const typed = { act: { seat: 0, roll: "123456" }, proof: null };
  const again = [dealer.attempt([true, true, false], "again"), dealer.reveals(), dealer.ready()];
  const proofs = follow([...game, { t: "real" }, typed, ...again, roll(dealer, 1, 1), typed]);
  expect(proofs.faults).toEqual([]);
  expect(verdicts(proofs).slice(6)).toEqual(["PHYSICAL", "PROVED-A", "no_proof"]);
});

test("dice without any event are typed in: nothing is claimed of them", () => {
  const proofs = follow([{ act: { seat: 0, roll: "123456" }, proof: null }, { act: { seat: 1, pass: true }, proof: null }]);
  expect(verdicts(proofs)).toEqual(["PHYSICAL"]);
});
