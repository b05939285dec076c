"""Settings of the server: by flag, by environment variable `BOBING_…`, or the default; see `docs/settings.md`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_address
from urllib.parse import urlsplit

from bobing.core.errors import BobingError

NUMBERS: Mapping[str, tuple[int, int]] = {
    "port": (0, 65_535),
    "tables_per_hour": (1, 1_000_000),
    "guesses_per_minute": (1, 1_000_000),
    "messages_per_minute": (10, 1_000_000),
    "outbox": (8, 100_000),
    "idle_minutes": (1, 100_000),
    "workers": (1, 64),
    "peer_port": (0, 65_000),
}
"""The least and the most of every number."""
_LOGS = ("text", "json")


class SettingRefused(BobingError):
    """A setting that cannot be used."""

    code = "settings/bad_value"


@dataclass(frozen=True, slots=True)
class Settings:
    """How one server runs. Every field is a flag of `bobing serve` and a variable `BOBING_` + its name in capitals.

    host, port: where it listens. db: the store, `sqlite:///path`, `postgresql://…` or `memory://`. public_url: the
    address that people reach it by, if it is not the one it listens on. proxies: addresses of proxies whose
    X-Forwarded-For is believed. cert, key: TLS files. metrics: whether GET /metrics answers. tables_per_hour: new
    tables from one address.
    guesses_per_minute: wrong codes from one address. messages_per_minute: of one token. outbox: messages that wait for
    a slow connection before it is closed. idle_minutes: after which a table where nobody is leaves the memory. log:
    `text` or `json`. workers: processes that share the port; bus: `nats://host:port`, by which they hear of each other;
    peer: the address of this machine at which workers on others reach it; peer_port: where the first of them listens
    for that, the others one higher each, 0 for any that are free.
    """

    host: str = "0.0.0.0"  # noqa: S104 - a table is for the phones around it; --here keeps it to one computer
    port: int = 8063
    db: str = ""
    public_url: str = ""
    proxies: str = ""
    cert: str = ""
    key: str = ""
    metrics: bool = False
    tables_per_hour: int = 300
    guesses_per_minute: int = 10
    messages_per_minute: int = 300
    outbox: int = 256
    idle_minutes: int = 30
    log: str = "text"
    workers: int = 1
    bus: str = ""
    peer: str = "127.0.0.1"
    peer_port: int = 0

    @property
    def shared(self) -> bool:
        """Whether other workers may be at the same store, so that each table has to be held by a lease."""
        return self.workers > 1 or bool(self.bus) or self.db.startswith(("postgresql:", "postgres:"))

    def as_dict(self) -> dict[str, object]:
        """All fields by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def settings_from(environment: Mapping[str, str], **flags: object) -> Settings:
    """Flags that are not None, else the environment, else the defaults; raises SettingRefused.

    >>> settings_from({"BOBING_PORT": "9000"}, host="0.0.0.0").port
    9000
    """
    values: dict[str, object] = {}
    for field in fields(Settings):
        flag, variable = flags.get(field.name), environment.get(f"BOBING_{field.name.upper()}")
        if flag is not None:
            values[field.name] = flag
        elif variable is not None:
            values[field.name] = _read(field.name, variable, field.default)
    settings = Settings(**values)  # type: ignore[arg-type]
    _verify(settings)
    return settings


def _verify(settings: Settings) -> None:
    for name, (low, high) in NUMBERS.items():
        if not low <= getattr(settings, name) <= high:
            flag = f"--{name.replace('_', '-')}"
            raise SettingRefused(f"{flag} is a whole number from {low} to {high}, not {getattr(settings, name)}")
    if settings.log not in _LOGS:
        raise SettingRefused(f"--log is text or json, not {settings.log[:40]!r}")
    if settings.workers > 1 and settings.db == "memory://":
        raise SettingRefused("several workers need a store that they share; name a file or a database with --db")
    if settings.shared and settings.cert:
        raise SettingRefused("with several workers TLS ends at a proxy before them; leave --cert and --key to it")
    if settings.key and not settings.cert:
        raise SettingRefused("a key goes with a certificate; name it with --cert")
    for proxy in filter(None, map(str.strip, settings.proxies.split(","))):
        if not _is_address(proxy):
            raise SettingRefused(f"--proxies are addresses such as 10.0.0.5, with commas between, not {proxy[:40]!r}")
    address = urlsplit(settings.public_url)
    if settings.public_url and (address.scheme not in ("http", "https") or not address.netloc or address.path != ""):
        raise SettingRefused(f"--public-url is such as https://table.example, not {settings.public_url[:80]!r}")


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _read(name: str, text: str, default: object) -> object:
    if isinstance(default, bool):
        if text.lower() in ("1", "true", "yes", "on", "0", "false", "no", "off", ""):
            return text.lower() in ("1", "true", "yes", "on")
        raise SettingRefused(f"BOBING_{name.upper()} is true or false, not {text[:40]!r}")
    if isinstance(default, int):
        if text.isascii() and text.isdigit() and len(text) < 10:
            return int(text)
        raise SettingRefused(f"BOBING_{name.upper()} is a whole number, not {text[:40]!r}")
    return text
