"""Files of votes, scores, matrices, items, panels, problems and prices: one parser a format."""
