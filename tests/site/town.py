"""Brennick: a web site of forty pages of our own writing, with what web pages have around their text, and traps beside it.

Pages are in `pages/*.txt`: a line `=== /path`, what is known of the page, and its text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import wrap

from leadline.testing.page_search import Listed, PageSearch
from leadline.testing.web_site import SITE, Served, WebSite
from tests.documents.samples import lines, pdf

FOLDER = Path(__file__).parent / "pages"
METADATA = "169.254.169.254"
LINES = 22
"""Lines of a PDF page."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One of the forty. `charset` is what its bytes are in, `declares` what it says they are in ("none": nothing)."""

    path: str
    title: str
    date: str
    text: str
    kind: str = "html"
    lang: str = "en"
    charset: str = "utf-8"
    declares: str = ""
    template: str = "town"
    hostile: str = ""

    @property
    def plain(self) -> str:
        """What a search engine has of it: the text, without signs of structure."""
        return "\n\n".join(block.lstrip("#|- ").replace(" |", ",") for block in self.text.split("\n\n"))


def leaves() -> list[Leaf]:
    """All pages, in a fixed order."""
    return [leaf for path in sorted(FOLDER.glob("*.txt")) for leaf in _read(path.read_text(encoding="utf-8"))]


def _read(text: str) -> Iterator[Leaf]:
    for part in text.split("=== ")[1:]:
        path, *rest = part.strip().split("\n")
        count = next(number for number, line in enumerate(rest) if not _known(line))
        known = dict(line.split(": ", 1) for line in rest[:count])
        yield Leaf(path=path, text="\n".join(rest[count:]), **known)


def _known(line: str) -> bool:
    return line.partition(": ")[0] in Leaf.__dataclass_fields__


TRAPS = (
    Served("/old/winter-berths", behaviour="error"),
    Served("/live/webcam", behaviour="tarpit"),
    Served("/loop/one", behaviour="redirect", to=f"{SITE}/loop/two"),
    Served("/loop/two", behaviour="redirect", to=f"{SITE}/loop/one"),
    Served("/go/office", behaviour="redirect", to=f"http:{'//'}{METADATA}/latest/meta-data/"),
    Served("/media/regatta", behaviour="stream"),
)
WINTER = "The winter berths of Brennick marina cost 410 crowns from October to March."
LURES = {
    "/old/winter-berths": (
        "Winter berths in the marina",
        f"{WINTER} A berth is let by the season, with water and without heating. Boats are laid up on the hard in March, "
        "when the crane comes.",
    ),
    "/live/webcam": (
        "Webcam on the pier",
        "See the quay of Brennick as it is now. The picture is renewed each minute by day, with the ferry at its landing "
        "stage and the gulls on the rail.",
    ),
    "/loop/one": (
        "Tickets for the ferry",
        "Book the ferry from Brennick to Sollen here. Choose a day, a number of seats and whether a bicycle comes with you, "
        "and pay by card.",
    ),
    "/go/office": (
        "Harbour office",
        "Opening hours of the harbour office of Brennick. Forms for masters, pilots and fishing boats, fees for berths, and "
        "whom to call at night.",
    ),
    "/media/regatta": (
        "Film of the regatta",
        "The regatta of Brennick, the whole film. Rowing boats, the lifeboat in its paint, the band on the quay, and the "
        "rain that came in the end.",
    ),
    "/private/pilots": (
        "Pilots only",
        "Depths in the harbour of Brennick, for pilots. Tables of the tide gauge and of the soundings, with the marks to "
        "steer by.",
    ),
}
"""What a search engine says of addresses that cannot be read: title and snippet."""

ROBOTS = f"User-agent: *\nDisallow: /private/\n\nSitemap: {SITE}/sitemap.xml\n"


def served() -> list[Served]:
    """Everything that stands on the site: pages, traps, a closed path, robots.txt and the site maps."""
    pages = leaves()
    half = len(pages) // 2
    return [
        *(Served(leaf.path, body(leaf), _declared(leaf), leaf.date) for leaf in pages),
        *TRAPS,
        Served("/private/pilots", b"<p>The pilots' own depth is 9.9 metres.</p>"),
        Served("/robots.txt", ROBOTS.encode(), "text/plain"),
        Served("/sitemap.xml", _index(), "application/xml"),
        Served("/sitemap-1.xml", _map(pages[:half]), "application/xml"),
        Served("/sitemap-2.xml", _map(pages[half:]), "application/xml"),
    ]


def search(site: WebSite) -> PageSearch:
    """A search engine that knows the site, its traps too."""
    found = [Listed(site.url + leaf.path, leaf.title, leaf.plain, leaf.date) for leaf in leaves()]
    lures = [Listed(site.url + path, title, text, "", text) for path, (title, text) in LURES.items()]
    return PageSearch([*found, *lures])


def body(leaf: Leaf) -> bytes:
    """The bytes of a page."""
    if leaf.kind == "pdf":
        return _pdf(leaf)
    return _html(leaf).encode(leaf.charset)


def _declared(leaf: Leaf) -> str:
    if leaf.kind == "pdf":
        return "application/pdf"
    charset = leaf.declares or leaf.charset
    return "text/html" if charset == "none" else f"text/html; charset={charset}"


def _pdf(leaf: Leaf) -> bytes:
    blocks = [wrap(block, 56) for block in (leaf.title, *leaf.text.split("\n\n"))]
    rows = [line for block in blocks for line in (*block, "")]
    shown = [lines(*map(_sheltered, rows[start : start + LINES])) for start in range(0, len(rows), LINES)]
    day = leaf.date.replace("-", "")
    return pdf(*shown, info=f"/Title ({_sheltered(leaf.title)}) /CreationDate (D:{day}090000Z)")


def _sheltered(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _html(leaf: Leaf) -> str:
    said = f'<meta charset="{leaf.charset}">' if leaf.declares == "none" or leaf.charset == "gb18030" else ""
    top, bottom = {"town": (_TOP, _BOTTOM), "news": (_NEWS_TOP, _NEWS_BOTTOM), "plain": ("", "")}[
        leaf.template
    ]
    way = ' dir="rtl"' if leaf.lang == "ar" else ""
    return (
        f'<!doctype html>\n<html lang="{leaf.lang}"{way}><head>{said}<title>{escape(leaf.title)} | Brennick</title>\n'
        f'<meta property="article:published_time" content="{leaf.date}"><link rel="canonical" href="{SITE}{leaf.path}">\n'
        f"<script>window.seen = (window.seen || 0) + 1;</script><style>nav {{ float: left }}</style></head>\n"
        f"<body>{top}<main><article><h1>{escape(leaf.title)}</h1>\n"
        f"{''.join(_blocks(leaf.text))}</article></main>{bottom}</body></html>\n"
    )


def _blocks(text: str) -> Iterator[str]:
    for block in text.split("\n\n"):
        rows = block.split("\n")
        if block.startswith("## "):
            yield f"<h2>{escape(block[3:])}</h2>\n"
        elif block.startswith("|"):
            cells = (
                "".join(f"<td>{escape(cell.strip())}</td>" for cell in r.strip("|").split("|")) for r in rows
            )
            yield f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>\n"
        elif block.startswith("- "):
            yield f"<ul>{''.join(f'<li>{escape(row[2:])}</li>' for row in rows)}</ul>\n"
        else:
            yield f"<p>{escape(' '.join(rows))}</p>\n"


_LINKS = (
    ("/", "Home"),
    ("/harbour/depths", "Harbour"),
    ("/lighthouse/facts", "Lighthouse"),
    ("/ferry/timetable", "Ferry"),
    ("/market/auction", "Fish market"),
    ("/mill/history", "Tide mill"),
    ("/zh/visitors", "中文".encode("ascii", "xmlcharrefreplace").decode()),
)
_NAV = "".join(f'<li><a href="{SITE}{path}">{name}</a></li>' for path, name in _LINKS)
_TOP = (
    '<div id="cookie-banner" class="cookie-consent"><p>We use cookies to remember that you do not like cookies.</p>'
    f"<button>Accept all</button><button>Settings</button></div><header><nav><ul>{_NAV}</ul></nav></header>"
)
_BOTTOM = (
    '<footer><p>Town of Brennick, Custom House, Quay Street. All rights reserved.</p><ul><li><a href="/imprint">Imprint</a>'
    '</li><li><a href="/privacy">Privacy</a></li></ul><p>Subscribe to our newsletter!</p></footer>'
)
_NEWS_TOP = (
    '<div class="advert"><p>Advertisement: slippers of real felt, half price this week only.</p></div>'
    f'<header><p>The Ald Messenger</p><nav><ul>{_NAV}</ul></nav></header><div class="share">Share this on everything</div>'
)
_NEWS_BOTTOM = (
    '<aside class="related"><h3>Read also</h3><ul><li>Ten things about gulls</li><li>What your boots say of you</li></ul>'
    "</aside><footer><p>The Ald Messenger, printed since long ago. Log in to comment.</p></footer>"
)
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def _map(pages: list[Leaf]) -> bytes:
    rows = "".join(
        f"<url><loc>{SITE}{leaf.path}</loc><lastmod>{leaf.date}</lastmod></url>\n" for leaf in pages
    )
    return f"{_XML}<urlset {_SPACE}>\n{rows}</urlset>\n".encode()


def _index() -> bytes:
    rows = "".join(f"<sitemap><loc>{SITE}/sitemap-{n}.xml</loc></sitemap>\n" for n in (1, 2))
    return f"{_XML}<sitemapindex {_SPACE}>\n{rows}</sitemapindex>\n".encode()
