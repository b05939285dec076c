"""The rules in play: each decision on a gap of the printed sheets, house rule files, and everything a table can do."""
