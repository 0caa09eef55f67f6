"""Tables of bad inputs: each is answered in words, never by a traceback and never in silence.

A row has what is wrong and a part of the message that says so.
"""
