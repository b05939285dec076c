"""The keys of a table of an event, which the desk gives back to the device that typed in there before it."""

from __future__ import annotations

from bobing.server.event_room import EventRoom
from bobing.server.host import Host
from bobing.server.rights import BEFORE, HOSTS, PAPER
from bobing.server.running_event import stream_of
from bobing.tournament.errors import EventRefused


async def give_keys(host: Host, room: EventRoom, number: int) -> None:
    """The table's own device is its host again, and the desk looks on; raises EventRefused.

    Of several that were it one is taken that is there, and the latest of them.
    """
    stream = stream_of(room, number)
    if room.event.state.tables[number].status == "closed":
        raise EventRefused(f"table {number} is closed", "event/table_closed")
    table = await host.table(stream)
    async with table.lock:
        grants = await host.log.grants(stream)
        if not any(grant.role == HOSTS[PAPER] for _, grant in grants):
            raise EventRefused(f"the desk does not type in at table {number} now", "event/keys_there")
        before = [(token, grant) for token, grant in grants if grant.role == BEFORE]
        if not before:
            raise EventRefused(
                f"no device of table {number} has typed in there yet; open the table's card at one", "event/no_device"
            )
        there = {member.token_hash for member in table.members}
        token, grant = max(before, key=lambda one: (one[0] in there, one[1].made))
        await host.door.make_host(table, token, grant)
