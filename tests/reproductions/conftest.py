"""What tests of studies share."""

import pytest

from cpe_opt.reproductions.study import Settings


@pytest.fixture
def settings(tmp_path):
    """A quick study called trial, without progress, in this process."""
    return Settings("trial", True, tmp_path / "out", None, 0, 1, None)
