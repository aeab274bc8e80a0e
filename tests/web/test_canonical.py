"""Which addresses are of one page, and of which host."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.web.canonical import canonical, host_of, is_of

HTTP = "http:"
SAME = [
    ("https://a.example/x", "http://www.a.example/x/"),
    ("https://a.example/x", "https://a.example:443".upper() + "/x#part"),
    ("https://a.example/x", "https://a.example/x?utm_source=n&utm_medium=m&fbclid=7"),
    ("https://a.example/x?a=1&b=2", "https://a.example/x?b=2&a=1"),
    ("https://a.example/", "https://a.example/index.html"),
    ("https://a.example/a/b", "https://a.example/a/./c/../b"),
    ("https://a.example/%7Ejo", "https://a.example/~jo"),
    ("https://灯塔.example/灯", "https://xn--omsv47c.example/%E7%81%AF"),
]
OTHER = [
    ("https://a.example/x", "https://b.example/x"),
    ("https://a.example/x", "https://a.example/X"),
    ("https://a.example/x?id=1", "https://a.example/x?id=2"),
    ("https://a.example/x", "https://a.example:8080/x"),
    ("https://a.example/a%2Fb", "https://a.example/a/b"),
    ("https://a.example/#!/one", "https://a.example/#!/two"),
    ("https://a.example/x?q=a%26b", "https://a.example/x?q=a&b"),
    ("https://a.example/x?q=%B5%C6%CB%FE", "https://a.example/x?q=%C7%C5%C1%BA"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_addresses_of_one_page_are_alike(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_addresses_of_two_pages_are_not(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    for url in (text, f"{HTTP}//{text}", f"https://a.example/{text}"):
        assert isinstance(canonical(url), str)
        assert isinstance(host_of(url), str)
        is_of(url, [text])


@given(
    st.from_regex(
        r"https?://[a-z]{1,9}\.example(:[1-9][0-9]{0,3})?/[a-z%/.]{0,20}(\?[a-z=&%0-9]{0,20})?",
        fullmatch=True,
    )
)
def test_what_is_alike_stays_so_when_it_is_made_anew(url: str) -> None:
    once = canonical(url)
    assert canonical(f"{HTTP}//{once}") == once


@pytest.mark.parametrize(
    ("url", "site", "within"),
    [
        ("https://a.example/x", "a.example", True),
        ("https://www.a.example/x", "a.example", True),
        ("https://a.example/x", "www.a.example", True),
        ("https://news.a.example/x", "a.example", True),
        ("https://nota.example/x", "a.example", False),
        ("https://a.example.evil.example/x", "a.example", False),
        ("https://b.example/?u=a.example", "a.example", False),
        ("https://a.example@b.example/", "a.example", False),
        ("https://灯塔.example/x", "xn--omsv47c.example", True),
        ("mailto:x@a.example", "a.example", False),
        ("https://a.example/x", "", False),
    ],
)
def test_a_host_belongs_to_itself_and_to_those_above(url: str, site: str, within: bool) -> None:
    assert is_of(url, [site]) is within
