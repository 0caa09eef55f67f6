"""C* and T* of duels, their rows and separation, and winners by voting."""
