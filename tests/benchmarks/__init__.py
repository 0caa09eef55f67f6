"""What ``make bench`` measures; nothing here is run by the tests."""
