"""Classes of sets, bandits over them, crowdsourcing teams, files."""
