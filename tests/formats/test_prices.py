"""Files of prices: of pairs of arms, of pairs at positions, of elements."""

import numpy as np
import pytest

import cpe_opt as cpe
from tests.support import all_of

MU = cpe.PreferenceMatrix(
    [[0.5, 0.6, 0.7], [0.4, 0.5, 0.8], [0.3, 0.2, 0.5]], labels=["tuna", "eel", "egg"]
)
TREE = cpe.load_instance("trees-of-k4")
GRAPH = cpe.BipartiteGraph.from_labels(
    [("Ann", "desk"), ("Bob", "desk"), ("Bob", "door"), ("Eve", "door")]
)
PAIRS, EDGES, ELEMENTS = "first,second,price\n", "position,first,second,price\n", "element,price\n"
OF_TREE = [f"{label},{price}\n" for label, price in zip(TREE.labels, range(1, 7), strict=True)]


def read(folder, text, problem):
    path = folder / "prices.csv"
    path.write_text(text, encoding="utf-8")
    return cpe.read_prices(path, problem)


@pytest.mark.parametrize(
    "text",
    [
        PAIRS + "tuna,eel,2\negg,tuna,3\neel,egg,4.5\n",
        "Price;Second;First\n4.5;eel;egg\n3;egg;tuna\n2;tuna;eel\n",
    ],
)
def test_prices_of_arms_are_a_line_a_pair(tmp_path, text):
    expected = [[0, 2, 3], [2, 0, 4.5], [3, 4.5, 0]]
    votes = cpe.Votes(np.ones((3, 3)) - np.eye(3), MU.labels)
    for problem in (MU, votes):
        assert read(tmp_path, text, problem).tolist() == expected


def test_prices_at_positions_and_of_elements_come_in_any_order(tmp_path):
    text = EDGES + "door,Eve,Bob,3\ndesk,Ann,Bob,2\n"
    expected = [[0, 2, 0, 0], [2, 0, 0, 0], [0, 0, 0, 3], [0, 0, 3, 0]]
    duels = cpe.MatchingDuels(GRAPH, np.where(np.array(expected) + np.eye(4), 0.5, 0))
    for problem in (GRAPH, duels):
        assert read(tmp_path, text, problem).tolist() == expected
    for problem in (TREE, TREE.decisions):
        prices = read(tmp_path, ELEMENTS + "".join(OF_TREE[::-1]), problem)
        assert prices.tolist() == [1, 2, 3, 4, 5, 6]


@all_of(
    ("problem", "text", "message"),
    [
        (MU, PAIRS + "tuna,eel,2\n", "csv: no price of the pair tuna – egg, eel – egg;"),
        (MU, PAIRS + "tuna,eel,2\neel,tuna,2\n", "line 3: the pair tuna – eel stands there twice"),
        (MU, PAIRS + "tuna,tuna,2\n", "line 2: a pair of 'tuna' and itself"),
        (MU, PAIRS + "tuna,ale,2\n", "line 2: 'ale' can meet nobody; expected tuna, eel"),
        (MU, PAIRS + "tuna,eel,0\n", "line 2: the price is not above 0"),
        (MU, "first,second\ntuna,eel\n", "line 1: no column 'price'; found first, second"),
        (MU, "first,second,price,unit\ntuna,eel,2,c\n", "unknown column 'unit'"),
        (7, PAIRS, "problem is 7, expected"),
        (MU, "", "prices.csv: the file is empty, expected a header of first, second, price"),
        (MU, ",tuna,eel\ntuna,0,2\neel,2,0\n", "line 1: no column 'first'; found .no name., tuna"),
        (GRAPH, EDGES + "desk,Ann,Bob,2\n", "no price of the pair door: Bob – door: Eve; expected"),
        (GRAPH, EDGES + "desk,Ann,Eve,2\n", "line 2: 'Eve at desk' can meet nobody"),
        (GRAPH, EDGES + "desk,Ann,Ann,2\n", "line 2: a pair of 'desk: Ann' and itself"),
        (TREE, ELEMENTS + "".join(OF_TREE[1:]), "no price of a-b; expected a line for each"),
        (TREE, ELEMENTS + "b-z,1\n", "line 2: element is 'b-z', which is none; the elements are a"),
        (TREE, ELEMENTS + OF_TREE[0] * 2, "line 3: element 'a-b' stands there twice"),
    ],
)
def test_files_that_are_no_prices(tmp_path, problem, text, message):
    with pytest.raises(cpe.InputError, match=message):
        read(tmp_path, text, problem)
