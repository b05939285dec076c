"""Exact chances of throws, of the length of a game, and of who wins what; simulation where there is no exact way."""
