"""The reader of pages finds what is not as the page says."""

import sys
from pathlib import Path

import pytest

from tests.docs.blocks import Reader, blocks_of

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
$ cat > more.txt <<'END'
> one
> END
$ cat more.txt
one
```
"""


def read(page, folder, monkeypatch):
    monkeypatch.chdir(folder)
    return Reader(folder, Path(sys.executable).parent).read(page, "page.md")


def test_a_true_page_is_read_to_its_end(tmp_path, monkeypatch):
    assert read(PAGE, tmp_path, monkeypatch) == 4
    assert [each.line for each in blocks_of(PAGE)] == [3, 11, 16, 21, 26]


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("  # 3\n", "  # 4\n"),
        ("0 3\n1 ...", "0 3"),
        ("0 3\n1 ...", "0 3\n2 ..."),
        ("winner,loser,count\n...", "..., nothing"),
        ("$ cat more.txt\none", "$ cat more.txt\ntwo"),
        ("$ cat more.txt\none", "$ cat more.txt"),
        ("$ cat more.txt\none", "$ cat more.txt\n..."),
        ("print(three)  # 3", "print(three)"),
        ("1 + 2", "1 + 1"),
    ],
)
def test_a_false_one_is_not(true, false, tmp_path, monkeypatch):
    assert true in PAGE
    with pytest.raises(AssertionError):
        read(PAGE.replace(true, false), tmp_path, monkeypatch)


def test_an_error_is_one(tmp_path, monkeypatch):
    with pytest.raises(ZeroDivisionError):
        read("```python\n1 / 0\n```\n", tmp_path, monkeypatch)
