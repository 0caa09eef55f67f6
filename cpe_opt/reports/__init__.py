"""What is said and drawn of problems, votes, runs and sessions: text, tables, pictures, pages."""
