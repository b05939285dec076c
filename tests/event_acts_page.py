"""Writes `docs/event-acts.md` from the types of the acts of events; run it when an act is changed."""

import typing
from pathlib import Path

from msgspec import inspect

from bobing.tournament import acts

PAGE = Path(__file__).parents[1] / "docs" / "event-acts.md"
HEAD = """# Acts of an event

An event of many tables is a list of acts, as a game is: what people did at its desk, its door and its tables, in
order. Everything else (who sits where, who has won what, which voucher is open) follows from them. Guests, tables,
vouchers, sessions and stages are numbered from 1; seats from 0; prices are hundredths of the currency. No act holds a
name: names and telephone numbers stand beside the log and can be erased.

Each act is a JSON object whose `do` says what it is. Keys with `?` may be left out. An act that the event does not
take is refused with a code of [errors](errors.md), and changes nothing.

```python
>>> from bobing.tournament.acts import act_from_json
>>> act_from_json({"do": "here", "guests": [3, 4]})
Here(guests=(3, 4), there=True)

```
"""


def page():
    kinds = [*typing.get_args(acts.PlainAct), acts.Undo, acts.Correct]
    return HEAD + "".join(map(_section, kinds))


def _section(kind):
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    about = " ".join((kind.__doc__ or "").split())
    keys = ", ".join(f"`{field.name}{'' if field.required else '?'}`" for field in info.fields)
    return f"\n## `{info.tag}`\n\n{about}\n\nKeys: {keys or 'none'}.\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
