"""An assertion that holds under ``python -O``, too."""


def expect(holds: object, sentence: str) -> None:
    """Raise AssertionError with the sentence unless it holds."""
    if not holds:
        raise AssertionError(sentence)
