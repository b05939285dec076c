"""Amounts of money as they are written on pages, on paper and by commands; `web/src/lib/numbers.ts` agrees."""


def amount(hundredths: int) -> str:
    """Figures alone, always with two places, so that they stand under one another.

    >>> amount(83_334), amount(59_000_00), amount(5)
    ('833.34', '59,000.00', '0.05')
    """
    whole, part = divmod(hundredths, 100)
    return f"{whole:,}.{part:02d}"


def money(hundredths: int, currency: str) -> str:
    """An amount with its currency behind it, where the event says one.

    >>> money(549_900, "CNY"), money(990, "")
    ('5,499.00 CNY', '9.90')
    """
    return f"{amount(hundredths)} {currency}".rstrip()
