"""Classes of sets, bandits over them, and scores of teams."""
