"""What is to be found on the site: every planted fact, where it stands, and what it is about."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Planted:
    """`value` stands in one sentence, on `path` and on the pages in `also`, and nowhere else."""

    id: str
    aspect: str
    value: str
    path: str
    also: tuple[str, ...] = ()


FACTS = (
    Planted("depth", "harbour", "6.8 metres deep", "/harbour/depths"),
    Planted("dredged", "harbour", "142,000 cubic metres", "/harbour/dredging-2023.pdf"),
    Planted("contractor", "harbour", "Hollander Dredging", "/harbour/dredging-2023.pdf"),
    Planted("berths", "harbour", "214 berths", "/harbour/marina"),
    Planted(
        "engineer",
        "lighthouse",
        "1836 by the engineer Elspeth Rowe",
        "/lighthouse/history",
        ("/print/lighthouse-history",),
    ),
    Planted(
        "automated", "lighthouse", "automated in 1988", "/lighthouse/history", ("/print/lighthouse-history",)
    ),
    Planted("tower", "lighthouse", "31 metres high", "/lighthouse/facts"),
    Planted("range", "lighthouse", "19 nautical miles", "/lighthouse/light-list.pdf"),
    Planted("passengers", "ferry", "180 passengers", "/ferry/vessel"),
    Planted("crossing", "ferry", "25 minutes", "/ferry/timetable"),
    Planted("operator", "ferry", "Aldwater Ferries", "/ferry/operator"),
    Planted("landings", "fish market", "4,310 tonnes", "/market/landings.pdf"),
    Planted("auction", "fish market", "begins at 5:30", "/market/auction", ("/news/auction-feature",)),
    Planted("hall", "fish market", "opened in 1927", "/market/history"),
    Planted("station", "lifeboat", "founded in 1869", "/lifeboat/station"),
    Planted("boat", "lifeboat", "Margaret Dunmore", "/lifeboat/boat"),
    Planted("launches", "lifeboat", "47 launches", "/lifeboat/report.pdf"),
    Planted("mill", "tide mill", "built in 1611", "/mill/history"),
    Planted("wheel", "tide mill", "5.2 metres", "/mill/machinery"),
    Planted("restored", "tide mill", "860,000 crowns", "/mill/restoration"),
    Planted("founder", "shipyard", "1872 by the carpenter Anders Quill", "/shipyard/founding"),
    Planted("last", "shipyard", "Corviston", "/shipyard/last-ship"),
    Planted("workers", "shipyard", "1,140 workers", "/shipyard/workers"),
    Planted("bridge", "swing bridge", "96 metres long", "/bridge/facts"),
    Planted("swing", "swing bridge", "12 minutes", "/bridge/facts"),
    Planted("opened", "swing bridge", "opened in 1904", "/bridge/history"),
    Planted("marsh", "marsh reserve", "312 hectares", "/reserve/about"),
    Planted("avocets", "marsh reserve", "2,450 avocets", "/reserve/counts.pdf"),
    Planted("friends", "友好城市", "2008年结为友好城市", "/zh/friendship"),
    Planted("guests", "游客", "36500名游客", "/zh/visitors"),
    Planted("museum", "متحف", "عام 1962", "/ar/visitors"),
)

STALE = (
    Planted("depth", "harbour", "5.9 metres deep", "/archive/depths-2019"),
    Planted("operator", "ferry", "North Ald Line", "/archive/ferry-2016"),
)
"""What pages of an earlier day say of the same."""

AGAINST = Planted("tower", "lighthouse", "34 metres high", "/travel/gannet-point")
"""What another page says, which contradicts `tower`."""
