"""Bipartite graphs, and duels of their edges."""
