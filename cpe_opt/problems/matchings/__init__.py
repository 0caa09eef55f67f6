"""Bipartite graphs, duels of their edges, and their files."""
