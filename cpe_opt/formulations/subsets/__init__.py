"""The linear oracle over a class of sets, and its program."""
