"""What people see of a room: the small full view, the lines of the history, the rules in brief."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from bobing import telling
from bobing.core.act_json import act_to_json
from bobing.core.acts import Act, Correct, RollOff, Spill, Start, Throw
from bobing.core.awards import alternatives
from bobing.core.consequence import move_json
from bobing.core.dice import Roll
from bobing.core.draft import Draft
from bobing.core.game import Entry, Game, Node
from bobing.core.rules import RuleSet
from bobing.core.scorebook import scorebook
from bobing.core.state import Result
from bobing.fairness.alarm import is_biased
from bobing.fairness.chain import LINKS
from bobing.fairness.forms import proof_json
from bobing.i18n import LANGUAGES, text
from bobing.i18n.phrase import Part
from bobing.naming import combination_name, rules_name, tier_name
from bobing.reason import why
from bobing.server.acting import alone
from bobing.server.room import Room
from bobing.server.sealing import Sealing, awaited
from bobing.server.tally import standing
from bobing.telling import Teller
from bobing.wire import messages as wire
from bobing.wording import lines as lines_in

SLOTS: Mapping[int, str] = {seat: f"\u27e6{seat}\u27e7" for seat in range(wire.SEATS_MAX)}
"""Names stand in words as ⟦seat⟧; who shows them puts the present name there, isolated from the text around it."""


_NO_CHOICE: tuple[Sequence[str], Mapping[str, Sequence[str]]] = ((), {})


def rules_names(rules: RuleSet) -> wire.Words:
    """What the rules are called, in every language."""
    return {lang: rules_name(rules, lang) for lang in LANGUAGES}


def rules_view(rules: RuleSet, choice: wire.RulesChoice) -> wire.RulesView:
    """The rules as the table page needs them."""
    census = scorebook(rules).census()
    tiers = [
        wire.TierView(
            key=tier.key,
            cakes=tier.cakes,
            names={lang: tier_name(rules, tier.key, lang) for lang in LANGUAGES},
            throws=census.awards[tier.key],
            points=tier.points,
            items=[{"name": item.name, "count": item.count} for item in tier.items],
        )
        for tier in rules.tiers
    ]
    return wire.RulesView(
        key=rules.key,
        names=rules_names(rules),
        digest=rules.digest,
        tiers=tiers,
        combinations=dict(census.combinations),
        seats_min=rules.setup.seats_min,
        direction=rules.setup.direction,
        minutes=rules.ending.minutes,
        choice=choice,
    )


def view(
    room: Room, online: Collection[int] | None = (), deadline: int | None = None, sealing: Sealing | None = None
) -> wire.View:
    """The present state of a room. sealing: what devices are asked for, where dice are being fixed."""
    if room.game is None:
        return wire.View(
            phase="lobby",
            seats=[_seat(room, seat, {}, 0, online) for seat in range(room.seats)],
            order=list(range(room.seats)),
            table=dict(room.rules.cakes),
            settings=room.settings,
            host=room.host_seat,
        )
    state, tally = room.game.state, room.tally
    return wire.View(
        phase="over" if room.game.finished else "play",
        seats=[
            _seat(room, seat, tally.holding(seat, state.held), tally.throws.get(seat, 0), online, tally.items_of(seat))
            for seat in range(len(state.order))
        ],
        order=list(state.order),
        table=dict(state.table),
        settings=room.settings,
        pool=dict(state.pool),
        next=state.next_seat,
        title=_title(room.game),
        rolloff=_rolloff(room.game),
        finished=state.finished,
        begun=state.begun,
        tally=dict(tally.combinations),
        deadline=deadline,
        rematch=room.rematch,
        host=room.host_seat,
        fair=_fair(room, sealing or Sealing()),
        receipt=room.receipt,
        claim=claim_view(room),
        biased=room.settings.alarm and room.settings.dice == "real" and is_biased(_real_throws(room.game)),
    )


def _real_throws(game: Game) -> list[tuple[int, ...]]:
    return [node.act.roll.faces for node in standing(game) if isinstance(node.act, Throw)]


def _fair(room: Room, sealing: Sealing) -> wire.FairView | None:
    """How the dice are proved now; None where they are not."""
    ledger = room.ledger
    if ledger is None or room.settings.dice != "digital":
        return None
    attempt, asked = ledger.attempt, sorted(awaited(room, sealing))
    if sealing.why is not None or attempt is None or ledger.stage not in ("reveal", "beacon", "ready"):
        restarts, voids = ledger.restarts, ledger.voids
        return wire.FairView(
            "commit", sealing.game.hex(), LINKS, asked, restarts=restarts, voids=voids, deadline=sealing.deadline
        )
    return wire.FairView(
        stage=ledger.stage,
        game=attempt.game.hex(),
        links=attempt.links,
        asked=asked,
        t0=attempt.opening.hex(),
        sas=ledger.signs,
        plan=attempt.plan.hex(),
        own=ledger.own,
        late=ledger.waiting,
        alone=[
            wire.OwnChance(seat, pending.alone.plan.hex())
            for seat, pending in sorted(ledger.pending.items())
            if pending.alone and pending.revealed
        ],
        unheard=[
            wire.Unheard(seat, list(chains.origin.unheard))
            for seat, chains in sorted(ledger.chains.items())
            if chains.own and chains.origin and chains.origin.unheard
        ],
        k=[ledger.next_k(seat) for seat in range(room.seat_count)],
        restarts=ledger.restarts,
        voids=ledger.voids,
        deadline=sealing.deadline,
    )


def fair_events(told: Sequence[tuple[int, dict[str, Any]]]) -> list[wire.FairEvent]:
    """What happened to the draws, as it is sent."""
    return [wire.FairEvent(after, event) for after, event in told]


def claim_view(room: Room) -> wire.ClaimView | None:
    """The throw that waits for a second person, if one does."""
    if room.claim is None:
        return None
    throw = room.claim.throw
    combination = scorebook(room.rules).row(throw.roll).combination
    words = {lang: combination_name(room.rules, combination, lang) for lang in LANGUAGES} if combination else {}
    claim, again = room.claim, alone(room, room.claim)
    return wire.ClaimView(throw.seat, str(throw.roll), words, claim.by, claim.n, again=again)


def _seat(
    room: Room,
    seat: int,
    held: dict[str, int],
    throws: int,
    online: Collection[int] | None,
    items: dict[str, dict[str, int]] | None = None,
) -> wire.Seat:
    state = room.game.state if room.game else None
    device = room.has_device(seat)
    return wire.Seat(
        name=room.name(seat),
        guest=room.guest(seat),
        held=held,
        items=items or {},
        points=room.rules.points(held),
        throws=throws,
        away=bool(state and seat in state.away),
        lost_turn=bool(state and seat in state.lost_turns),
        device=device,
        online=device and None if online is None else seat in online,
    )


def _title(game: Game) -> wire.TitleView | None:
    if game.title is None:
        return None
    seat, claim = game.title
    dice = claim.roll if isinstance(claim.roll, tuple) else claim.roll.faces
    roll = "".join(map(str, dice))
    words = {lang: combination_name(game.rules, claim.combination, lang) for lang in LANGUAGES}
    return wire.TitleView(seat=seat, roll=roll, combination=claim.combination, words=words)


def _rolloff(game: Game) -> wire.RollOffView | None:
    pending = game.state.rolloff
    if pending is None:
        return None
    thrown = {str(seat): "".join(map(str, faces)) for seat, faces in pending.thrown.items()}
    return wire.RollOffView(seats=list(pending.seats), dice=pending.dice, reason=pending.reason, thrown=thrown)


def last_line(room: Room) -> wire.Line:
    """The line of the act played last."""
    assert room.game is not None, "lines come from a game"
    return _line(room, room.game, len(room.game.log))


def lines(room: Room) -> list[wire.Line]:
    """The whole history: acts that stand as they work now, acts taken back as they worked then."""
    if room.game is None:
        return []
    game = Game.new(room.rules, room.seats, room.game.start)
    stand = {node.n: node for node in standing(room.game)}
    made: dict[int, wire.Line] = {}
    for entry in room.game.log:
        game = game.play(entry.act)
        made[len(game.log)] = _line(room, game, len(game.log), struck=len(game.log) in room.game.struck)
    if any(
        node.act != room.game.log[n - 1].act or node.result != room.game.log[n - 1].result for n, node in stand.items()
    ):
        made.update(_reworked(room, stand.values()))
    return list(made.values())


def _reworked(room: Room, nodes: Collection[Node]) -> dict[int, wire.Line]:
    """The lines of the acts that stand, after a correction changed what they lead to."""
    assert room.game is not None, "called with a game"
    redone: dict[int, wire.Line] = {}
    for node in nodes:
        assert node.before is not None, "the root is no act"
        assert node.act is not None, "the root is no act"
        entry = Entry(node.act, node.before, node.result, frozenset())
        at_node = Game(room.rules, room.seats, room.game.start, node, (entry,))
        redone[node.n] = _told(room, at_node, node.n, node.result)
    return redone


def _line(room: Room, game: Game, n: int, *, struck: bool = False) -> wire.Line:
    return _told(room, game, n, game.last, struck=struck)


def _told(room: Room, game: Game, n: int, result: Result, *, struck: bool = False) -> wire.Line:
    act = game.log[-1].act
    played = room.game.log[n - 1].act if room.game else act
    drawn = room.drawn.get(n)
    seat = getattr(act, "seat", None)
    proof = drawn.proof if drawn else None
    faces = act.roll.faces if isinstance(act, Spill) and act.roll and proof else _faces(act)
    thrown = act.act if isinstance(act, Correct) else act
    roll = thrown.roll if isinstance(thrown, Throw) else None
    before = Draft(game.log[-1].line.state, room.rules, 0)
    choices, items = alternatives(before, act) if isinstance(act, Throw) else _NO_CHOICE
    told = (Teller(room.rules, SLOTS, dice=False), result, act, game)
    deeds, title = tuple(telling.deeds(*told)), tuple(telling.title_at_stake(*told))
    marked = scorebook(room.rules).counting(roll) if roll else ()
    return wire.Line(
        n=n,
        act=act_to_json(act),
        words=_in_each(deeds),
        at=drawn.at if drawn else 0,
        seat=seat,
        roll="".join(map(str, faces)) or None,
        combination=result.combination,
        moves=[move_json(move) for move in result.moves],
        digital=bool(drawn and drawn.digital),
        strength=drawn.strength if drawn else 50,
        aim=drawn.aim if drawn else 0,
        struck=struck,
        took=list(result.struck),
        first=None if played == act else act_to_json(played),
        why=_reasons(room.rules, roll) if roll and marked else {},
        counting=list(marked),
        title=_in_each(title) if title else {},
        choices=list(choices),
        items={tier: list(names) for tier, names in items.items()},
        proof=wire.Proof(**proof_json(proof)) if proof else None,
    )


@lru_cache(maxsize=4096)  # looked up once for an act, and not once for each language and sentence
def _in_each(parts: tuple[Part, ...]) -> dict[str, list[str]]:
    """What was told, in every language. It is shared by all who tell the same: nobody changes it."""
    return {lang: lines_in(parts, lang) for lang in LANGUAGES}


def _reasons(rules: RuleSet, roll: Roll) -> wire.Words:
    """Why a throw is what it is called, in every language."""
    row = scorebook(rules).row(roll)
    return _why("".join(map(str, sorted(roll.faces))), row.combination, row.kicker, bonus=bool(row.bonus))


@lru_cache(maxsize=4096)
def _why(hand: str, combination: str, kicker: int, *, bonus: bool) -> wire.Words:
    return {lang: why(hand, combination, kicker, lang, bonus=bonus) for lang in LANGUAGES}


def _faces(act: Act) -> tuple[int, ...]:
    match act:
        case Throw(roll=roll):
            return roll.faces
        case RollOff(faces=faces) | Start(dice=faces):
            return faces
        case _:
            return ()


def missed(all_lines: Sequence[wire.Line], seen: int) -> wire.Words | None:
    """One line on the throws since act `seen`; None when there were none."""
    throws = sum(1 for line in all_lines if line.n > seen and line.roll)
    if not seen or not throws:
        return None
    return {lang: text(lang, "server.missed", n=throws) for lang in LANGUAGES}
