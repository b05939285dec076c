"""The judge: a slow and plain second reading of the printed rule sheets.

It shares nothing with the package it is used to check. `sheets` holds what each sheet says, `scoring` reads one throw,
`referee` plays a whole game. Where it and the package differ, one of them is wrong.
"""
