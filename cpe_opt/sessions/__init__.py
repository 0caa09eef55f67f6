"""Real answers instead of a simulator: sessions, the programs and the people that answer."""
