"""The judge of the odds: a game as a Markov chain, followed throw by throw.

Read from the scorebook and the rule set alone; nothing of `bobing.odds` is used. A state is what is left of each tier,
the best throw for the title and who threw it, whose turn it is, and how many throws of a last lap are to come.
"""

from collections import Counter, defaultdict
from itertools import count

import numpy as np

from bobing.core.catalogue import find_sheet, read_rules
from bobing.core.scorebook import THROWS, scorebook, ways

GOING = -1
FEW = {"duitang": 1, "sanhong": 1, "sijin": 1, "erju": 1, "yixiu": 2}


def small(sheet, more=""):
    """A sheet with so few cakes and strengths that its chain is quickly followed."""
    cakes = "".join(f"{tier} = {n}\n" for tier, n in FEW.items() if tier in find_sheet(sheet).cakes)
    ranks = "".join(f'{form}_by = "equal"\n' for form in ("liubohei", "wuzi", "wuhong", "sihong"))
    return read_rules(f'extends = "{sheet}"\n[cakes]\n{cakes}[ranks]\n{ranks}{more}')


class Chain:
    """The chain of one rule set and table; `law`, `won`, `titles` and so on are filled by `run`."""

    def __init__(self, rules, players):
        self.rules, self.players = rules, players
        self.tiers = [tier for tier in rules.lower if tier != rules.ranked_tier]
        self.rows = Counter()
        for hand, row in scorebook(rules).rows.items():
            tiers = tuple(tier for tier in (row.tier, *row.bonus) if tier in self.tiers)
            self.rows[tiers, row.strength, row.effects] += ways(hand)
        self.taking = {strength for _, strength, effects in self.rows if "duitang-at-end" in effects}
        self.numbers, self.states = {}, []
        self.moves = []  # source, target or -1 when over, chance
        self.gains = defaultdict(list)  # (tier, seat): (source, expected cakes)
        self.ends = []  # source, chance, title, its strength, left
        self._walk()

    def start(self):
        return (tuple(self.rules.cakes[tier] for tier in self.tiers), 0, None, 0, GOING)

    def number(self, state):
        if state not in self.numbers:
            self.numbers[state] = len(self.states)
            self.states.append(state)
        return self.numbers[state]

    def _walk(self):
        self.number(self.start())
        for source in count():
            if source == len(self.states):
                return
            for (tiers, strength, effects), times in self.rows.items():
                self._throw(source, tiers, strength, effects, times / THROWS)

    def _throw(self, source, tiers, strength, effects, chance):
        left, best, holder, seat, more = self.states[source]
        left = dict(zip(self.tiers, left, strict=True))

        def gain(tier, who, cakes):
            self.gains[tier, who].append((source, chance * cakes))

        if strength is not None and self.rules.title.contest == "first":
            strength = 1 if holder is None else 0
        later = self.rules.title.equal == "last" and self.rules.title.contest != "first"
        if strength is not None and (holder is None or strength > best or (later and strength == best)):
            best, holder = strength, seat
        self._win(tiers, left, seat, gain)
        for effect in effects:
            leads = holder == seat and best == strength
            self._effect(effect, left, seat, gain, leads=leads)
        self._go_on(source, left, best, holder, seat, more, chance, ends="ends" in effects)

    def _win(self, tiers, left, seat, gain):
        for i, tier in enumerate(tiers):
            takes = [tier]
            if i == 0 and self.rules.exhausted.then != "nothing":
                takes = self.tiers[self.tiers.index(tier) :]
            taken = next((other for other in takes if left[other]), None)
            if taken:
                left[taken] -= 1
                gain(taken, seat, 1)

    def _effect(self, effect, left, seat, gain, *, leads):
        if effect in ("sweep-table", "sweep-all", "grab", "pool", "friendly"):
            for tier, cakes in left.items():
                if effect.startswith("sweep"):
                    gain(tier, seat, cakes)
                for other in range(self.players) if effect == "grab" else ():
                    gain(tier, other, cakes / self.players)
                left[tier] = 0
        elif "duitang" in left and (
            effect in ("duitang-unwon", "duitang-all-untitled") or (leads and effect == "duitang-all")
        ):
            gain("duitang", seat, left["duitang"])
            left["duitang"] = 0

    def _go_on(self, source, left, best, holder, seat, more, chance, *, ends):
        after = tuple(left.values())
        ending = self.rules.ending
        if more > 0:
            more -= 1
        elif more == GOING and ending.when != "throws":
            gone = not any(after)
            over = gone and (holder is not None or ending.without_champion == "stop")
            if over or (ending.when == "champion" and holder is not None):
                more = {
                    "at-once": 0,
                    "equal-turns": self.players - 1 - seat,
                    "extra-lap": self.players,
                }[ending.finish]
        if ends or more == 0:
            self.ends.append((source, chance, holder, best, after))
        else:
            target = self.number((after, best, holder, (seat + 1) % self.players, more))
            self.moves.append((source, target, chance))

    def run(self, horizon=None, least=1e-14):
        """Follow the chances until next to nothing is left, or for `horizon` throws."""
        size = len(self.states)
        source, target, chance = (np.array(column) for column in zip(*self.moves, strict=True))
        now = np.zeros(size)
        now[0] = 1.0
        visits, self.beyond = np.zeros(size), [1.0]
        while now.sum() > least and len(self.beyond) - 1 != horizon:
            visits += now
            now = np.bincount(target, weights=now[source] * chance, minlength=size)
            self.beyond.append(now.sum())
        self.mean = sum(self.beyond[:-1]) if horizon else sum(self.beyond)
        self.cakes = {
            tier: [sum(visits[i] * gain for i, gain in self.gains[tier, seat]) for seat in range(self.players)]
            for tier in self.tiers
        }
        self.titles, self.left = Counter(), {tier: np.zeros(2) for tier in self.tiers}
        for i, share, holder, best, after in self.ends:
            self._ended(visits[i] * share, holder, best, after)
        for (after, best, holder, *_), share in zip(self.states, now, strict=True):
            self._ended(share, holder, best, after)
        return self

    def _ended(self, share, holder, best, after):
        self.titles[holder] += share
        if holder is not None and best in self.taking:
            after = tuple(0 if tier == "duitang" else cakes for tier, cakes in zip(self.tiers, after, strict=True))
        for tier, cakes in zip(self.tiers, after, strict=True):
            self.left[tier] += (share * (cakes > 0), share * cakes)
