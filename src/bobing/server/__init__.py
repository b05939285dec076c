"""Joins people at tables: rooms are pure machines, the host stores before it sends, a session is one connection."""
