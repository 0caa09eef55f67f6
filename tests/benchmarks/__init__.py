"""What ``make bench`` measures; README.md, beside this file, says what and has the last figures."""
