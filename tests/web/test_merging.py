"""Lists of results as one: by rank, by page, by text."""

from leadline.web.base import WebResult
from leadline.web.merging import K, folded, merged, same


def results(*urls: str, provider: str = "one") -> list[WebResult]:
    return [WebResult(url, url, provider=provider) for url in urls]


def test_one_list_keeps_its_order() -> None:
    listed = results(*(f"https://a.example/{n}" for n in range(9)))
    assert merged([listed], 5) == tuple(listed[:5])


def test_the_sum_of_reciprocal_ranks_decides() -> None:
    first = results("https://a.example/", "https://b.example/", "https://c.example/")
    second = results("https://c.example/", "https://d.example/", "https://b.example/", provider="two")
    order = [each.url for each in merged([first, second], 9)]
    scores = {
        "https://a.example/": 1 / (K + 1),
        "https://b.example/": 1 / (K + 2) + 1 / (K + 3),
        "https://c.example/": 1 / (K + 3) + 1 / (K + 1),
        "https://d.example/": 1 / (K + 2),
    }
    assert order == sorted(scores, key=lambda url: -scores[url])


def test_a_page_twice_in_one_list_counts_once() -> None:
    twice = results("https://a.example/x", "http://www.a.example/x/", "https://b.example/")
    other = results("https://b.example/", provider="two")
    assert [each.url for each in merged([twice, other], 9)] == ["https://b.example/", "https://a.example/x"]


def test_what_one_list_lacks_the_other_gives() -> None:
    bare = [WebResult("https://a.example/x", "A", provider="one")]
    full = [WebResult("https://a.example/x", "Another", "A snippet.", "2024-05-15", "two")]
    assert merged([bare, full], 9) == (
        WebResult("https://a.example/x", "A", "A snippet.", "2024-05-15", "one, two"),
    )


def test_texts_that_say_the_same_are_one_page() -> None:
    text = "The keeper wrote down every ship that passed the mole between the two wars."
    listed = [
        WebResult("https://a.example/", "Keeper", text),
        WebResult("https://b.example/", "Keeper", text.upper() + " …"),
        WebResult(
            "https://c.example/", "Keeper", "The keeper's daughter painted all of them, and sold none of it."
        ),
    ]
    assert [each.url for each in merged([listed], 9)] == ["https://a.example/", "https://c.example/"]


def test_texts_that_differ_in_a_number_are_two() -> None:
    text = "In the year {} the keeper wrote down every ship that passed the mole of the town."
    assert not same(folded(text.format(1922)), folded(text.format(1923)))
    assert same(folded(text.format(1922)), folded(text.format(1922) + "!"))


def test_short_texts_are_alike_by_chance() -> None:
    listed = [WebResult(f"https://a.example/{n}", "Home") for n in "abc"]
    assert len(merged([listed], 9)) == 3


def test_nothing_merged_is_nothing() -> None:
    assert merged([], 5) == merged([[], []], 5) == ()
