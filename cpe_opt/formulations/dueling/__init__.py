"""The lower bound, its rows and its separation; winners by voting."""
