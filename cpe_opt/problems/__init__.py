"""What an algorithm faces: validated data, and no algorithm."""
