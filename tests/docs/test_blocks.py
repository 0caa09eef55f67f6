"""The reader of pages finds what is not as the page says."""

import sys
from pathlib import Path

import pytest

from tests.docs.blocks import Reader

PAGE = """\
# A page

```{code-block} text
:caption: votes.csv

winner,loser,count
a,b,30
b,a,2
```

```python
three = 1 + 2
print(three)  # 3
```

```python
for place in range(2):
    print(place, three)
```

```text
0 3
1 ...
```

```console
$ cat votes.csv
winner,loser,count
...
$ cpe-opt evidence votes.csv
... 1 of 1 pairs
...
$ cat <<'END'
> one
> END
one
```
"""


@pytest.fixture
def reader(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Reader(tmp_path, Path(sys.executable).parent)


def test_a_true_page_is_read_to_its_end(reader):
    assert reader.read(PAGE, "page.md") == 4


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("  # 3\n", "  # 4\n"),
        ("0 3\n1 ...", "0 3"),
        ("0 3\n1 ...", "0 3\n2 ..."),
        ("winner,loser,count\n...", "..., nothing"),
        ("END\none", "END\ntwo"),
        ("END\none", "END"),
        ("END\none", "END\n..."),
        ("print(three)  # 3", "print(three)"),
        ("1 + 2", "1 + 1"),
    ],
)
def test_a_false_one_is_not(true, false, reader):
    assert true in PAGE
    with pytest.raises(AssertionError):
        reader.read(PAGE.replace(true, false), "page.md")
