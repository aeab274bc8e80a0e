"""Filters: what text is read as what tree, what a tree means, and that Lance means the same."""

import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from leadline.errors import FilterError
from leadline.store.filters import And, Compare, Filter, Not, Operator, Or, filter_text, matches, parse_filter
from leadline.store.lance import LanceStore
from leadline.testing.entries import PLAIN, entry
from leadline.testing.running import go
from leadline.types import Metadata, MetaValue


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("year >= 2023", Compare("year", ">=", 2023)),
        ("ratio<.5", Compare("ratio", "<", 0.5)),
        ("a == -1e3", Compare("a", "==", -1000.0)),
        ("final == TRUE", Compare("final", "==", True)),
        ("lang == 'zh'", Compare("lang", "==", "zh")),
        (r'a == "say \"hi\"\n\\ \x"', Compare("a", "==", 'say "hi"\n\\ x')),
        ("created > 2023-05-01", Compare("created", ">", "2023-05-01")),
        ("created > 2023-05", Compare("created", ">", "2023-05")),
        ("created > 2023-05-01T10:00:00Z", Compare("created", ">", "2023-05-01T10:00:00Z")),
        ('a in ["x", 1, true]', Compare("a", "in", ("x", 1, True))),
        ("a in []", Compare("a", "in", ())),
        ('a not in ["x"]', Not(Compare("a", "in", ("x",)))),
        ('`my field` ^= "x"', Compare("my field", "^=", "x")),
        ('作者 == "李"', Compare("作者", "==", "李")),
        ("meta.sub-key == 1", Compare("meta.sub-key", "==", 1)),
        (
            "a == 1 or b == 2 and c == 3",
            Or((Compare("a", "==", 1), And((Compare("b", "==", 2), Compare("c", "==", 3))))),
        ),
        (
            "(a == 1 or b == 2) and c == 3",
            And((Or((Compare("a", "==", 1), Compare("b", "==", 2))), Compare("c", "==", 3))),
        ),
        ("not not a == 1", Not(Not(Compare("a", "==", 1)))),
        ("NOT a == 1 AND b == 2", And((Not(Compare("a", "==", 1)), Compare("b", "==", 2)))),
    ],
)
def test_text_is_read_as_a_tree(text: str, tree: Filter) -> None:
    assert parse_filter(text) == tree


@pytest.mark.parametrize(
    ("text", "character", "gap"),
    [
        ('lang == "中文" and )', ")", '  lang == "　　" and )'),
        ("year\n== ]", "]", "  year == ]"),
        ('a == "\x1b[2J" and ]', "]", '  a == " [2J" and ]'),
        (" and ".join(["a == 1"] * 100) + " and ]", "]", "]"),
    ],
)
def test_the_mark_stands_below_the_character(text: str, character: str, gap: str) -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter(text)
    _, shown, mark = str(caught.value).splitlines()
    assert shown[mark.index("^")] == character
    assert len(shown) < 200
    assert "\x1b" not in shown
    wide = sum(each == "\u3000" for each in mark)
    assert wide == sum(each == "\u3000" for each in gap)


@pytest.mark.parametrize(
    ("text", "position", "says"),
    [
        ("", 0, "empty"),
        ("   ", 3, "empty"),
        ("year", 4, "Expected one of"),
        ("year = 2023", 5, "use `==`"),
        ("year == ", 8, "Expected a value"),
        ('lang == "zh', 8, "closing quote"),
        ("lang == zh", 8, 'quotes: "zh"'),
        ("(year == 1", 0, "not closed"),
        ("year == 1)", 9, "end of the filter"),
        ("year == 1 lang == 2", 10, "`and`"),
        ("a == 1 && b == 2", 7, "use `==`, `and`"),
        ("a in 5", 5, "list"),
        ("a in [1 2]", 8, "`,`"),
        ("a in [1", 7, "`,`"),
        ("and == 1", 0, "name of a field"),
        ("5 == a", 0, "name of a field"),
        ("a ~ 5", 4, "text in quotes"),
        ("a == 1; drop table x", 6, "Cannot read `;`"),
        ("a == 12abc", 5, "Cannot read"),
        ("a == 1e999", 5, "too large"),
        ("(" * 500 + "a == 1" + ")" * 500, 100, "deeper"),
    ],
)
def test_a_bad_filter_points_at_the_character(text: str, position: int, says: str) -> None:
    with pytest.raises(FilterError, match=says.replace("(", r"\(")) as caught:
        parse_filter(text)
    assert (caught.value.position, caught.value.text) == (position, text)


@pytest.mark.parametrize(
    ("text", "metadata", "passes"),
    [
        ("a == 1", {"a": 1.0}, True),
        ("a == 1", {"a": True}, False),
        ("a == true", {"a": True}, True),
        ("a == true", {"a": 1}, False),
        ("a != true", {"a": 1}, True),
        ("a < 5", {"a": "4"}, False),
        ("a >= 5", {}, False),
        ("not a >= 5", {}, True),
        ('a ~ "ÄB"', {"a": "xäby"}, True),
        ('a ^= "A"', {"a": "ab"}, False),
        ('a == "x"', {"a": ("x", "y")}, True),
        ('a != "x"', {"a": ("x", "y")}, False),
        ('a > "x"', {"a": ("x", "y")}, True),
        ('a != "x"', {"a": ()}, True),
        ('a in ["y", "z"]', {"a": ("x", "y")}, True),
        ('"x" == "x"'.replace('"x" ==', "a =="), {"a": "x"}, True),
        ("a < 1", {"a": math.nan}, False),
        ("a != 1", {"a": math.nan}, True),
        ("a == 1", {"a": 10**400}, False),
    ],
)
def test_what_a_filter_means(text: str, metadata: Metadata, passes: bool) -> None:
    assert matches(parse_filter(text), metadata) is passes


NASTY = [
    "'",
    "''",
    "\\",
    "\\'",
    '"',
    "%",
    "_",
    "--",
    "; DROP TABLE x",
    "')) OR 1=1 --",
    "/*",
    "\n",
    "\0",
    "`",
    "İ",
    "ß",
    "Σ",
]
words = st.sampled_from(["", "a", "b", "ab", "B", "10", "中文", *NASTY])
texts = st.one_of(
    words, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x1f"), max_size=6)
)
numbers = st.one_of(
    st.integers(-3, 3), st.integers(-(10**20), 10**20), st.floats(allow_nan=False, allow_infinity=False)
)
scalars = st.one_of(texts, numbers, st.booleans())
names = st.sampled_from(["a", "b", "it's", 'x" OR 1=1', "année", "source"])
values: st.SearchStrategy[MetaValue] = st.one_of(scalars, st.lists(texts, max_size=3).map(tuple))
operators: st.SearchStrategy[Operator] = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "~", "^="])
comparisons: st.SearchStrategy[Compare] = st.one_of(
    st.builds(Compare, names, operators, scalars),
    st.builds(Compare, names, st.just("in"), st.lists(scalars, max_size=4).map(tuple)),
)
trees: st.SearchStrategy[Filter] = st.recursive(
    comparisons,
    lambda parts: st.one_of(
        st.builds(Not, parts),
        st.builds(And, st.lists(parts, max_size=3).map(tuple)),
        st.builds(Or, st.lists(parts, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)
metadatas = st.dictionaries(names.filter(lambda name: name != "source"), values, max_size=4)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=st.lists(metadatas, min_size=1, max_size=12), asked=st.lists(trees, min_size=1, max_size=12))
def test_lance_finds_exactly_what_the_reference_passes(
    tmp_path_factory: pytest.TempPathFactory, held: list[Metadata], asked: list[Filter]
) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path_factory.mktemp("store"))
        await store.create(PLAIN)
        await store.replace("plain", [entry(f"d{at}", "word", metadata=one) for at, one in enumerate(held)])
        for tree in asked:
            found = {one.chunk.document_id for one in await store.keyword("plain", ["word"], 99, tree)}
            wanted = {f"d{at}" for at, one in enumerate(held) if matches(tree, {"source": f"d{at}", **one})}
            assert found == wanted, tree
        await store.close()

    go(steps())


@settings(max_examples=200, deadline=None)
@given(tree=comparisons)
def test_a_comparison_survives_being_written_and_read(tree: Compare) -> None:
    assume(isinstance(tree.value, str) or tree.operator not in {"~", "^="})
    assert parse_filter(filter_text(tree)) == tree


def test_a_tree_survives_being_written_and_read() -> None:
    text = '((a == 1 or `b c` in ["x", 2.5]) and not created < "2024-01-01")'
    assert filter_text(parse_filter(text)) == text


def test_injected_sql_is_a_value_like_any_other(tmp_path: Path) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        await store.replace(
            "plain", [entry(f"d{at}", "word", metadata={"a": one}) for at, one in enumerate(NASTY)]
        )
        for at, one in enumerate(NASTY):
            for operator in ("==", "in"):
                value = (one,) if operator == "in" else one
                found = await store.keyword("plain", ["word"], 99, Compare("a", operator, value))
                assert [each.chunk.document_id for each in found] == [f"d{at}"], one
        everything = Or((Compare("a' OR '1'='1", "==", "x"), Compare("id = id OR a", "!=", "x")))
        assert len(await store.keyword("plain", ["word"], 99, everything)) == len(NASTY)
        await store.close()

    go(steps())


def test_very_wide_and_deep_filters_are_answered(tmp_path: Path) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        await store.replace("plain", [entry("a", "word", metadata={"n": 7, "s": "x7"})])
        wide = [
            Compare("n", "in", tuple(range(5000))),
            Compare("s", "in", tuple(f"x{number}" for number in range(5000))),
            Or(tuple(Compare("n", "==", number) for number in range(500))),
            parse_filter("not " * 98 + "n == 7"),
        ]
        for tree in wide:
            assert len(await store.keyword("plain", ["word"], 9, tree)) == 1
        with pytest.raises(FilterError, match="8 levels"):
            await store.keyword(
                "plain", ["word"], 9, parse_filter("n == 1 or (n == 7 and (" * 9 + "n == 7" + "))" * 9)
            )
        await store.close()

    go(steps())


def test_the_language_of_a_document_can_be_filtered_as_lang(tmp_path: Path) -> None:
    async def found(where: str) -> list[str]:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        await store.replace(
            PLAIN.name,
            [
                entry("zh", "word", metadata={"language": "zh"}),
                entry("own", "word", metadata={"language": "zh", "lang": "nan"}),
            ],
        )
        hits = await store.keyword(PLAIN.name, ["word"], 9, parse_filter(where))
        await store.close()
        return sorted(hit.chunk.document_id for hit in hits)

    assert go(found('lang == "zh"')) == ["zh"]
    assert go(found('lang == "nan"')) == ["own"]
    assert go(found('language == "zh"')) == ["own", "zh"]
