"""What duels prove of pairs of arms, and of Copeland, Condorcet and Borda winners."""
