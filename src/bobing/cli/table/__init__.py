"""A whole game at the terminal: the pieces of `bobing play`.

Pages are lists of lines made by pure functions (`screen`, `pages`); `loop` reads what is typed, plays it, saves it and
only then shows it. Dice are drawn in `dice` alone.
"""
