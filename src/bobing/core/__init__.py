"""The game itself. Values are frozen; nothing here draws, sleeps or logs; what people did is the game."""
