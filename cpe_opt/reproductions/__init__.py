"""Tables and figures of the papers, made again: one file a paper, and what they share."""
