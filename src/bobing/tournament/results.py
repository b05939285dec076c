"""What an ordinary table's game means to its event."""

from __future__ import annotations

from collections import Counter

from bobing.core.dice import Roll
from bobing.core.game import Game
from bobing.tournament.acts import Won


def won_at(game: Game) -> tuple[Won, ...]:
    """Who holds how many cakes of which tier and item, by seat, tiers from high to low.

    >>> from bobing.core.acts import Throw
    >>> from bobing.core.catalogue import find_sheet
    >>> from bobing.core.dice import Roll
    >>> won_at(Game.new(find_sheet("S12"), 3).play(Throw(1 - 1, Roll.parse("222241"))))
    (Won(seat=0, tier='sijin', cakes=1, item=''), Won(seat=0, tier='yixiu', cakes=1, item=''))
    """
    items = {tier.key: tier.items for tier in game.rules.tiers}
    order = {tier.key: place for place, tier in enumerate(game.rules.tiers)}
    cakes = Counter(
        (cake.seat, tier, cake.item or (items[tier][0].name if len(items[tier]) == 1 else ""))
        for tier, held in game.state.held.items()
        for cake in held
    )
    ranked = sorted(cakes.items(), key=lambda entry: (entry[0][0], order[entry[0][1]], entry[0][2]))
    return tuple(Won(seat, tier, count, item) for (seat, tier, item), count in ranked)


def title_at(game: Game) -> str:
    r"""The throw that holds the title, three dice where they settled it; "" where nobody holds it.

    >>> from bobing.core.acts import RollOff, TimeUp
    >>> from bobing.core.catalogue import read_rules
    >>> rules = read_rules('extends = "minnan"\n[ending]\nminutes = 45\nundecided = "three-dice"')
    >>> game = Game.new(rules, 2).play(TimeUp()).play(RollOff(0, (1, 2, 3))).play(RollOff(1, (6, 5, 4)))
    >>> title_at(game)
    '654'
    """
    if game.title is None:
        return ""
    roll = game.title[1].roll
    return str(roll) if isinstance(roll, Roll) else "".join(map(str, roll))


def champion_at(game: Game) -> int | None:
    """The seat that holds the title."""
    return game.state.title
