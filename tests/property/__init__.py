"""Properties that hold for every rule set and every game, tried on random ones."""
