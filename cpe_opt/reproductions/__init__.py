"""Tables and figures of the papers, reproduced: one file a paper, and what they share."""
