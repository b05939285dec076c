"""What the desk does with the rights of devices: it ends those of a post, and gives the keys of a table back."""

from __future__ import annotations

from bobing.ports import Grant
from bobing.server.event_room import PREFIX, EventRoom
from bobing.server.host import Host
from bobing.server.refusal import refused
from bobing.server.rights import BEFORE, HOSTS, PAPER
from bobing.server.running_event import EventMember, Running, stream_of
from bobing.tournament.errors import EventRefused
from bobing.wire import event_messages as wire


async def end_links(host: Host, running: Running, command: wire.EndLinks, asking: EventMember | None) -> None:
    """Take the right of a role away from all who have it, but for the desk that asks for it; raises TableRefused."""
    if asking is None:
        raise refused("forbidden")
    if (command.role == "table") is (command.table is None):
        raise refused("no_seat")
    stream, wanted = PREFIX + running.room.code, wire.EventYou(command.role, command.table)
    if command.role == "desk":
        await host.log.grant(asking.token_hash, Grant(stream, "desk", None, host.clock.wall_ms()), ending=("desk",))
    else:
        await host.log.revoke(stream, role=command.role, seat=command.table)
    for one in [one for one in running.members if one.you == wanted and one.token_hash != asking.token_hash]:
        one.dismiss("revoked")
        running.members.discard(one)
    table = running.room.event.state.tables.get(command.table or 0)
    if table is not None and table.stream is not None:
        await host.take_keys(table.stream)


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
