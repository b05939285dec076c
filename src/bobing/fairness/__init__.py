"""Provable dice, `bobing-fair/1`: nobody chose a throw, and anybody can check it (`docs/fairness.md`).

Bytes and hashes are in `packing`, `chain`, `commit`, `reveal`, `draw`, `late` and `beacon`, where seats count from 1 as
in the specification. `events` and `forms` are what a table writes down, where seats count from 0; `ledger` and `verify`
follow it. `alarm` watches real dice. Nothing here draws, waits, or reads a file.
"""
