"""What duels of candidates prove of matchings."""
