"""What several tests need: `from support.NAME import ...`."""
