"""A query in the words of a search engine: cut to what it takes, hosts as its operators `site:` and `-site:`."""

from leadline.web.base import WebQuery


def clipped(text: str, longest: int, words: int = 1_000) -> str:
    """A text of at most so many characters and words, in one line, cut between words where there are any.

    >>> clipped("the  lamp of\\nthe harbour", 12), clipped("灯塔在哪一年点亮", 4)
    ('the lamp of', '灯塔在哪')
    """
    # Half a character, as a model or a terminal may give it, cannot be sent.
    text = " ".join(text.encode("utf-8", "replace").decode().split()[:words])
    if len(text) <= longest:
        return text
    head, _, _ = text[: longest + 1].rpartition(" ")
    return head or text[:longest]


def worded(query: WebQuery, longest: int, words: int = 1_000) -> tuple[str, tuple[str, ...]]:
    """The text of `query` with its hosts, and what of them does not fit, in words.

    >>> worded(WebQuery("lamp", sites=("a.example", "b.example"), without=("c.example",)), 100)
    ('lamp (site:a.example OR site:b.example) -site:c.example', ())
    """
    only = " OR ".join(f"site:{site}" for site in query.sites)
    only = f"({only})" if len(query.sites) > 1 else only
    operators = " ".join(part for part in (only, *(f"-site:{site}" for site in query.without)) if part)
    left = longest - len(operators) - 1
    if not operators or left < longest // 4 or len(operators.split()) > words // 2:
        return clipped(query.text, longest, words), ("the hosts to search",) if operators else ()
    return f"{clipped(query.text, left, words - len(operators.split()))} {operators}", ()
