"""The settings of each part of the product, with kinds, bounds, defaults and meaning."""

from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from leadline.run import Budget


def _split_commas(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


Names = Annotated[tuple[str, ...], BeforeValidator(_split_commas)]
Share = Annotated[float, Field(ge=0, le=1)]


class Part(BaseModel):
    """Whatever is not known is refused, and nothing is changed once it was read."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LoadSettings(Part):
    """How files become chunks."""

    chunk_size: Annotated[int, Field(ge=100, le=20_000, description="Aimed characters of a chunk.")] = 1_000
    section_size: Annotated[int, Field(ge=200, le=200_000, description="Most characters of a section.")] = (
        4_000
    )
    exclude: Annotated[Names, Field(description="Globs that folder loads leave out, as in .gitignore.")] = ()
    workers: Annotated[
        int, Field(ge=0, le=64, description="Reader processes; 0 takes one per core, at most 8.")
    ] = 0
    seconds: Annotated[float, Field(gt=0, description="Most seconds for reading one file.")] = 120
    memory_mb: Annotated[int, Field(ge=128, description="Most memory of one reader process, in MiB.")] = 2_048
    max_file_mb: Annotated[int, Field(ge=1, description="Larger files are skipped and listed.")] = 512
    ocr: Annotated[bool, Field(description="Read scans with tesseract when it is installed.")] = True
    describe_pictures: Annotated[
        bool, Field(description="Have `model`, which must see, describe pictures, to be found by that.")
    ] = False


class SearchSettings(Part):
    """How passages are found."""

    today: Annotated[
        date | None, Field(description="What `last month` in a question counts from, else the present day.")
    ] = None

    recall: Annotated[int, Field(ge=1, le=1_000, description="Hits kept per query.")] = 50
    pool: Annotated[int, Field(ge=1, le=5_000, description="Candidates taken from each recall path.")] = 40
    ef: Annotated[
        int | None,
        Field(
            ge=1,
            le=10_000,
            description="Candidates of a walk through the vector index, else the collection's.",
        ),
    ] = None
    fusion: Annotated[Literal["score", "rrf"], Field(description="How recall paths are put together.")] = (
        "score"
    )
    rerank_candidates: Annotated[
        int,
        Field(ge=2, le=200, description="Best hits of a query that the reranker reads, where there is one."),
    ] = 30
    rerank_keep: Annotated[
        int, Field(ge=1, le=200, description="Those of them that go on to judging, by its score.")
    ] = 8
    section_size: Annotated[
        int,
        Field(ge=200, le=200_000, description="Most characters of a section read or shown around a hit."),
    ] = 6_000


class HnswSettings(Part):
    """How the vector index of a new collection is built and searched; each more costs time, and finds more."""

    m: Annotated[int, Field(ge=4, le=64, description="Neighbours of a vector; 16 to 32 pay.")] = 16
    ef_construction: Annotated[
        int, Field(ge=16, le=2_000, description="Candidates kept while building; 200 to 400 pay.")
    ] = 200
    ef: Annotated[
        int, Field(ge=1, le=5_000, description="Candidates kept while searching, at least; 64 to 128 pay.")
    ] = 64


class AskSettings(Part):
    """How a question is answered."""

    rounds: Annotated[int, Field(ge=1, le=10, description="Most rounds of a deep search.")] = 3
    steps: Annotated[int, Field(ge=1, le=10, description="Most follow-up questions of a chain.")] = 4
    early_stop: Annotated[
        bool, Field(description="End a chain when a model says that what is known answers the question.")
    ] = True
    router: Annotated[
        Literal["model", "rule"],
        Field(description="Who picks agent and collections; without a model always `rule`."),
    ] = "model"
    passages: Annotated[int, Field(ge=1, le=100, description="Most passages an answer is written from.")] = 10
    gap_queries: Annotated[int, Field(ge=1, le=20, description="Most gap queries of a round.")] = 3
    judge_hits: Annotated[
        int,
        Field(
            ge=1,
            le=200,
            description="Best hits of a query that a model judges; a reranker's choice goes whole.",
        ),
    ] = 10
    judge_batch: Annotated[
        int, Field(ge=1, le=50, description="Most passages a model judges in one call.")
    ] = 10
    parallel: Annotated[int, Field(ge=1, le=32, description="Most searches at once.")] = 4
    gain: Annotated[
        Share, Field(description="A round with less new among the best evidence is the last.")
    ] = 0.02
    confidence: Annotated[Share, Field(description="Coverage of the question that ends the search.")] = 0.95
    rewrite: Annotated[bool, Field(description="Split and clean the question before searching.")] = True
    expand: Annotated[
        bool, Field(description="Ask a model for the question in other words, and search for those too.")
    ] = False
    rerank: Annotated[bool, Field(description="Rank the evidence of all rounds against the question.")] = True
    judge: Annotated[bool, Field(description="Drop hits that do not help.")] = True
    reflect: Annotated[bool, Field(description="Look for gaps and search again.")] = True
    verify: Annotated[bool, Field(description="Check quotes, numbers, dates and names of every claim.")] = (
        True
    )


class BudgetSettings(Part):
    """Limits of one run; left out means no limit."""

    searches: Annotated[int | None, Field(ge=1, description="Most searches.")] = 200
    calls: Annotated[int | None, Field(ge=1, description="Most model calls.")] = None
    tokens: Annotated[int | None, Field(ge=1, description="Most model tokens.")] = None
    usd: Annotated[float | None, Field(gt=0, description="Most US dollars, where prices are known.")] = None
    seconds: Annotated[
        float | None, Field(gt=0, description="Deadline: answer with what is there by then.")
    ] = None

    def of_run(self) -> Budget:
        """As a run has them."""
        return Budget(self.searches, self.calls, self.tokens, self.seconds, self.usd)


class ModelSettings(Part):
    """How language models are called."""

    seconds: Annotated[float, Field(gt=0, description="Most seconds for one reply.")] = 120
    attempts: Annotated[int, Field(ge=1, le=10, description="Times a failing call is made in all.")] = 3
    wait: Annotated[
        float, Field(ge=0, description="Most seconds to wait before trying again, whatever the server asks.")
    ] = 30
    parallel: Annotated[int, Field(ge=1, le=256, description="Most calls at once to one endpoint.")] = 8
    context: Annotated[
        int | None, Field(ge=512, description="Tokens of the model's context, where it is not known.")
    ] = None
    threads: Annotated[int, Field(ge=0, le=256, description="Threads of a `gguf:` model; 0: all cores.")] = 0
    cache: Annotated[bool, Field(description="Keep replies, so that the same call is paid for once.")] = True
    cache_file: Annotated[
        Path | None, Field(description="File of kept replies, else `replies.sqlite` in the data folder.")
    ] = None
    on_miss: Annotated[
        Literal["call", "raise"], Field(description="`raise` replays a recorded run and calls nobody.")
    ] = "call"
    prompts: Annotated[Path | None, Field(description="Folder of prompts that replace the shipped ones.")] = (
        None
    )


class ClusterSettings(Part):
    """Where `--engine ray` works."""

    address: Annotated[
        str,
        Field(
            description="Of a running Ray cluster, or `auto`; none given: one on this machine, for the while."
        ),
    ] = ""
    workers: Annotated[int, Field(ge=0, le=4_096, description="Most worker processes; 0: one per core.")] = 0


class FlowSettings(Part):
    """What flow files may do."""

    functions: Annotated[
        Names,
        Field(
            description="Python functions a step may call, `package.module:name` or `package.module:*`; not read from a file that nobody named."
        ),
    ] = ()
    memory_rows: Annotated[
        int, Field(ge=100, description="Rows that a step which needs them all keeps in memory.")
    ] = 50_000


class WebSettings(Part):
    """How the web is searched and read."""

    searches: Annotated[
        Names,
        Field(
            description="Search providers in order: `tavily`, `brave`, `serper`, `searxng`, `duckduckgo`, or a plugin's name; none given: those that have a key or an address, then `duckduckgo`."
        ),
    ] = ()
    combine: Annotated[
        Literal["fallback", "all"],
        Field(description="Ask the next provider only when one gives nothing, or ask all and merge."),
    ] = "fallback"
    results: Annotated[int, Field(ge=1, le=20, description="Pages per query of the first round.")] = 5
    more_results: Annotated[int, Field(ge=1, le=20, description="Pages per query of later rounds.")] = 3
    sites: Annotated[Names, Field(description="Search only these hosts.")] = ()
    without: Annotated[Names, Field(description="Never read these hosts.")] = ()
    search_seconds: Annotated[float, Field(gt=0, description="Most seconds for one search.")] = 15
    searches_per_second: Annotated[
        float, Field(gt=0, le=100, description="Most searches a second to one provider.")
    ] = 2
    page_seconds: Annotated[float, Field(gt=0, description="Most seconds for one page.")] = 20
    page_mb: Annotated[int, Field(ge=1, le=200, description="Larger pages are not read.")] = 20
    parallel: Annotated[int, Field(ge=1, le=64, description="Most pages read at once.")] = 8
    per_host: Annotated[int, Field(ge=1, le=16, description="Most pages read at once from one host.")] = 2
    robots: Annotated[bool, Field(description="Leave out what a site's robots.txt closes.")] = True
    cache_hours: Annotated[
        float, Field(ge=0, description="Pages read so lately are not fetched again; 0 keeps none.")
    ] = 24
    allow_hosts: Annotated[
        Names,
        Field(
            description="Hosts on this machine or in a closed network that may be read, `HOST` or `HOST:PORT`; not read from a file that nobody named."
        ),
    ] = ()
    tavily_depth: Annotated[
        Literal["basic", "advanced"],
        Field(description="How thoroughly Tavily searches; `advanced` costs twice."),
    ] = "basic"
    tavily_url: Annotated[str, Field(description="Where Tavily is, else its own address.")] = ""
    brave_url: Annotated[str, Field(description="Where Brave Search is, else its own address.")] = ""
    serper_url: Annotated[str, Field(description="Where Serper is, else its own address.")] = ""
    duckduckgo_url: Annotated[str, Field(description="Where DuckDuckGo is, else its own address.")] = ""
    searxng_url: Annotated[str, Field(description="Where your SearXNG is, as `http://localhost:8888`.")] = ""


class ResearchSettings(Part):
    """How far `leadline research` goes."""

    rounds: Annotated[int, Field(ge=1, le=10, description="Most rounds.")] = 4
    facts: Annotated[int, Field(ge=1, le=500, description="So many facts are enough.")] = 50
    new_facts: Annotated[int, Field(ge=0, le=50, description="A round with fewer new facts is the last.")] = 3
    queries: Annotated[int, Field(ge=1, le=10, description="Most further queries of a round.")] = 3
