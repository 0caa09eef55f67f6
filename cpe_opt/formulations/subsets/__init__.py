"""The linear oracle over a class of sets, its program, and T* of sets."""
