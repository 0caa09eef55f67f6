"""What a problem looks like, as text and tables for people, a file a family."""
