"""The REST calls of events: their paths, bodies, answers and refusals, described as those of tables are."""

from __future__ import annotations

from bobing.wire import event_messages as wire
from bobing.wire.calls import PDF, Call
from bobing.wire.messages import Invited

LIST = "application/octet-stream"
HANDOVER = "application/gzip"
_EVENT = ("table/closed", "table/slow_down", "table/forbidden", "log/not_saved")

EVENT_CALLS: tuple[Call, ...] = (
    Call(
        name="make_event",
        method="POST",
        path="/api/events",
        about="Make an event of many tables; the token of its desk is in the answer.",
        answer=wire.NewEventMade,
        body=wire.NewEvent,
        refusals=("table/forbidden", "table/slow_down", "log/not_saved"),
    ),
    Call(
        name="give_pass",
        method="POST",
        path="/api/events/{code}/passes",
        about="A token for another device of the event, asked for by its desk.",
        answer=Invited,
        body=wire.Pass,
        token=True,
        refusals=(*_EVENT, "table/no_seat"),
    ),
    Call(
        name="guest_list",
        method="POST",
        path="/api/events/{code}/list",
        about="Read a guest list, CSV or XLSX: who is in it, or every line that is wrong.",
        answer=wire.ListRead,
        body=LIST,
        token=True,
        query={"commit": "an id of this call's own: the guests come on the list of the event, all or none"},
        refusals=(
            *_EVENT,
            "file/too_large",
            "file/not_text",
            "file/not_xlsx",
            "file/dangerous",
            "file/bad_csv",
            "event/empty_list",
            "event/no_session",
            "log/repeated_command",
        ),
    ),
    Call(
        name="register",
        method="POST",
        path="/api/events/{code}/guests",
        about="A guest registers by themselves, and has a place or waits.",
        answer=wire.Registered,
        body=wire.Registering,
        refusals=(
            *_EVENT,
            "event/no_session",
            "event/household",
            "event/household_needed",
            "event/registered_already",
            "event/registration_closed",
            "event/bad_phone",
            "table/name_bad",
        ),
    ),
    Call(
        name="event_front",
        method="GET",
        path="/api/events/{code}",
        about="What everybody may know of an event: its sessions, and whether guests may register.",
        answer=wire.EventFront,
        refusals=_EVENT[:2],
    ),
    Call(
        name="my_place",
        method="GET",
        path="/api/events/{code}/me",
        about="A guest's own page: table, seat and prizes, by the token that registering gave.",
        answer=wire.MyView,
        token=True,
        refusals=(*_EVENT[:2], "table/unknown_token"),
    ),
    Call(
        name="leave_event",
        method="POST",
        path="/api/events/{code}/me/leave",
        about="A guest gives the place back, and may have what is kept of them deleted.",
        answer=wire.MyView,
        body=wire.Leaving,
        token=True,
        refusals=(*_EVENT, "table/unknown_token", "event/table_begun", "event/withdrawn"),
    ),
    Call(
        name="export",
        method="GET",
        path="/api/events/{code}/export/{what}",
        about="A list of the event to take away: guests, seats, prizes, finance, tiers, tables, people or signoff.",
        answer=LIST,
        token=True,
        query={"as": "csv or xlsx; else csv", "lang": "zh-Hans, zh-Hant or en; else zh-Hans"},
        refusals=(*_EVENT, "table/bad_message"),
    ),
    Call(
        name="event_paper",
        method="POST",
        path="/api/events/{code}/{what}.pdf",
        about="A paper of the event, for its desk: rules, cards, score, seating, prizes, vouchers, tickets, results, "
        "certificates or signoff. Cards have a fresh token of their table in their QR.",
        answer=PDF,
        body=wire.Printing,
        token=True,
        refusals=(*_EVENT, "table/not_begun", "paper/needs_extra"),
    ),
    Call(
        name="hand_over_event",
        method="POST",
        path="/api/events/{code}/handover",
        about="The event goes on at another machine: this one takes nothing more, and the answer is the file with "
        "everything. Asked again, it is given again.",
        answer=HANDOVER,
        body=wire.HandingOver,
        token=True,
        refusals=_EVENT,
    ),
    Call(
        name="take_back_event",
        method="POST",
        path="/api/events/{code}/takeback",
        about="An event that was handed over goes on here after all.",
        answer=wire.TakenBack,
        body=wire.TakingBack,
        token=True,
        refusals=(*_EVENT, "event/handed_over", "event/is_here"),
    ),
    Call(
        name="take_over_event",
        method="POST",
        path="/api/events/takeover",
        about="An event from such a file goes on here. Links and tokens of before work here as well.",
        answer=wire.NewEventMade,
        body=HANDOVER,
        query={"machine": "what people call this machine"},
        refusals=("table/forbidden", "table/slow_down", "log/not_saved", "event/bad_handover", "event/forked"),
    ),
)
