"""The measured sections of docs/evaluation.md, each as a function that gives its text."""

import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.analysers import recalls
from benchmarks.answers import answer_all
from benchmarks.computing import measure as compared
from benchmarks.computing import table as outcome_table
from benchmarks.long_documents import NAME, write_set
from leadline.analysis.scripts import script
from leadline.config import Settings
from leadline.evaluation.ablation import ablate, ablation_table
from leadline.evaluation.answers import answer_figures
from leadline.evaluation.cases import Case, QuestionSet, find_sets, read_set
from leadline.evaluation.experiment import EvalOptions, evaluate_retrieval
from leadline.evaluation.figures import Figures
from leadline.evaluation.metrics import mean
from leadline.evaluation.report import HEAD, cells, table, values
from leadline.evaluation.setup import opened, work_folder
from leadline.evaluation.variants import Variation

METHODS = ("dense", "keyword", "hybrid", "linked", "deep")
LINKED = ("hybrid", "linked")
AS_IT_IS = Variation()
MULTILINGUAL = "multilingual"
SAMPLE = 100
REMOVED = 100
ENCODED = 500
"""The multilingual encoder is measured on sets of at most so many passages: more take a small machine too long."""


@dataclass(frozen=True)
class Measuring:
    """What is measured, where it is kept, and how much of it (`limit`, for trying)."""

    sets: Path
    data: Path
    limit: int | None = None

    @cached_property
    def folders(self) -> list[Path]:
        return find_sets([self.sets])

    @cached_property
    def read(self) -> dict[Path, QuestionSet]:
        return {folder: read_set(folder) for folder in self.folders}

    def several(self) -> list[Path]:
        """Sets whose questions need several passages."""
        return [folder for folder, one in self.read.items() if max(map(_needs, one.supported)) > 1]

    def single(self) -> list[Path]:
        """Sets whose questions need one passage."""
        return [folder for folder in self.folders if folder not in self.several()]

    def latin(self) -> list[Path]:
        """Sets in a language of Latin script."""
        return [folder for folder, one in self.read.items() if script(one.cases[0].question) == "latin"]

    async def measure(
        self,
        folders: Sequence[Path],
        methods: Sequence[str],
        variation: Variation = AS_IT_IS,
        embedding: str = "static",
        limit: int | None = None,
    ) -> list[Figures]:
        """Figures of sets by methods."""
        settings = Settings(data=self.data, embedding=embedding)
        how = EvalOptions(work_folder(settings), self.limit or limit, variation=variation)
        async with opened(settings) as setup:
            return await evaluate_retrieval(folders, methods, how, setup)


def _needs(case: Case) -> int:
    return len(case.supporting)


def figures_table(measured: Sequence[Figures]) -> str:
    """One row for each set and method, with the mean over the sets of each method."""
    rows = [[one.set_name, one.method, str(one.questions), *cells(values(one))] for one in measured]
    if len({one.set_name for one in measured}) > 1:
        for method in dict.fromkeys(one.method for one in measured):
            mine = [one for one in measured if one.method == method]
            columns = zip(*(values(one) for one in mine), strict=True)
            count = str(sum(one.questions for one in mine))
            rows.append(["**mean**", method, count, *cells([mean(column) for column in columns])])
    return "\n".join(table(rows, HEAD))


def types_table(measured: Sequence[Figures]) -> str:
    """Recall@5 and all-gold@10 by type of question, a row for each type, two columns for each method."""
    methods = list(dict.fromkeys(one.method for one in measured))
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    counts: dict[tuple[str, str], int] = {}
    for one in measured:
        for name, kind in one.types.items():
            row = found.setdefault((one.set_name, name), {})
            row[one.method] = cells([100 * kind.recall_at_5, 100 * kind.all_gold_at_10])
            counts[one.set_name, name] = kind.questions
    rows = [
        [*key, str(counts[key]), *(cell for method in methods for cell in row[method])]
        for key, row in found.items()
    ]
    head = ["set", "type", "questions", *(f"{m} {what}" for m in methods for what in ("R@5", "all@10"))]
    return "\n".join(table(rows, head))


async def several(measuring: Measuring) -> str:
    """Sets whose questions need several passages."""
    measured = await measuring.measure(measuring.several(), METHODS)
    shown = [one for one in measured if one.method in ("hybrid", "linked", "deep")]
    return f"{figures_table(measured)}\n\nBy type of question:\n\n{types_table(shown)}"


async def single(measuring: Measuring) -> str:
    """Sets whose questions need one passage, and how linked recall stands against the better of two baselines."""
    measured = await measuring.measure(measuring.single(), METHODS)
    by_set: dict[str, dict[str, Figures]] = {}
    for one in measured:
        by_set.setdefault(one.set_name, {})[one.method] = one
    rows: list[list[str]] = []
    apart: list[list[float]] = []
    for name, each in by_set.items():
        best_recall = max(each[method].recall[5] for method in ("keyword", "hybrid"))
        best_rank = max(each[method].mrr_at_10 for method in ("keyword", "hybrid"))
        differences = [
            100 * (each["linked"].recall[5] - best_recall),
            100 * (each["linked"].mrr_at_10 - best_rank),
        ]
        apart.append(differences)
        rows.append([name, *(f"{value:+.1f}" for value in differences)])
    rows.append(["**mean**", *(f"{mean(column):+.2f}" for column in zip(*apart, strict=True))])
    against = "\n".join(table(rows, ("set", "R@5", "MRR@10")))
    return f"{figures_table(measured)}\n\n`linked` against the better of `keyword` and `hybrid`:\n\n{against}"


async def union(measuring: Measuring) -> str:
    """All Latin-script sets in one collection, next to each alone."""
    folders = measuring.latin()
    together = await measuring.measure(folders, LINKED, Variation(union=True))
    alone = await measuring.measure(folders, LINKED)
    return figures_table([*together]) + "\n\nThe same sets apart:\n\n" + figures_table(alone)


async def untitled(measuring: Measuring) -> str:
    """Titles blanked everywhere."""
    folders = [folder for folder in measuring.several() if folder in measuring.latin()]
    return figures_table(await measuring.measure(folders, LINKED, Variation(untitled=True)))


async def long(measuring: Measuring) -> str:
    """Whole documents, split by Leadline itself."""
    folders = [folder for folder in measuring.folders if (folder / "docs.jsonl").exists()]
    with tempfile.TemporaryDirectory() as scratch:
        own = Path(scratch, NAME)
        write_set(own)
        measured = await measuring.measure([*folders, own], LINKED, Variation(whole=True))
    return f"{figures_table(measured)}\n\nBy type of question:\n\n{types_table(measured)}"


async def across(measuring: Measuring) -> str:
    """Questions in one language, passages in another, by the multilingual encoder."""
    measured: list[Figures] = []
    for corpus in measuring.latin():
        known = {case.id for case in measuring.read[corpus].cases}
        for folder, one in measuring.read.items():
            if folder not in measuring.latin() and known >= {case.id for case in one.cases}:
                variation = Variation(corpus=corpus)
                measured += await measuring.measure([folder], ("dense", "linked"), variation, MULTILINGUAL)
    return figures_table(measured)


async def encoder(measuring: Measuring) -> str:
    """What the multilingual encoder adds to the static one, on sets small enough to embed."""
    sizes = {folder: len(one.passages) for folder, one in measuring.read.items()}
    folders = [folder for folder, size in sizes.items() if size <= ENCODED]
    rows: list[list[str]] = []
    found = {
        name: await measuring.measure(folders, LINKED, embedding=name, limit=SAMPLE)
        for name in ("static", MULTILINGUAL)
    }
    for static, other in zip(found["static"], found[MULTILINGUAL], strict=True):
        pairs = [(static.recall[5], other.recall[5]), (static.mrr_at_10, other.mrr_at_10)]
        rows.append(
            [
                static.set_name,
                static.method,
                str(static.questions),
                *cells([100 * each for pair in pairs for each in pair]),
            ]
        )
    head = (
        "set",
        "method",
        "questions",
        "static R@5",
        "multilingual R@5",
        "static MRR@10",
        "multilingual MRR@10",
    )
    return "\n".join(table(rows, head))


async def ablation(measuring: Measuring) -> str:
    """What each part of linked search and of deep search earns."""
    settings = Settings(data=measuring.data)
    how = EvalOptions(work_folder(settings), measuring.limit)
    several_sets = [folder for folder in measuring.several() if folder in measuring.latin()]
    small = [
        folder for folder, one in measuring.read.items() if folder in several_sets and len(one.cases) <= 200
    ]
    async with opened(settings) as setup:
        over_several = await ablate(several_sets, "linked", how, setup)
        over_single = await ablate(measuring.single(), "linked", how, setup)
        deep = await ablate(small, "deep", how, setup)
    return (
        f"`linked`, several passages to a question:\n\n{ablation_table(over_several)}\n"
        f"`linked`, one passage to a question:\n\n{ablation_table(over_single)}\n"
        f"`deep`, several passages to a question:\n\n{ablation_table(deep)}"
    )


async def answers(measuring: Measuring) -> str:
    """Answers of deep search over the first set of several passages to a question, gold removed from some."""
    questions = read_set(measuring.several()[0]).pick(measuring.limit, None)
    whole = answer_figures(await answer_all(questions, measuring.data, 2))
    without = answer_figures(await answer_all(questions.without_gold(REMOVED), measuring.data, 2))
    rows = [
        [
            "quotes that stand at their recorded span",
            f"{whole.quotes - whole.wrong_quotes} of {whole.quotes}",
        ],
        ["answered", f"{whole.answered:.1%}"],
        ["longest answer", f"{whole.max_sentences} sentences, {whole.max_characters} characters"],
        [
            "supporting passages cited (recall, precision)",
            f"{whole.citation_recall:.1%}, {whole.citation_precision:.1%}",
        ],
        ["gold string in the answer (yes/no questions apart)", f"{whole.contains:.1%}"],
        ["searches a question", f"{whole.searches_per_question:.1f}"],
        [
            f"still answered without the gold of {min(REMOVED, without.questions)} questions",
            f"{without.answered:.1%}",
        ],
    ]
    told = f"`python -m benchmarks.answers DIR --remove-gold {REMOVED}`, {questions.name}, {whole.questions} questions:"
    return f"{told}\n\n" + "\n".join(table(rows, ("figure", "")))


async def computed(measuring: Measuring) -> str:
    """Comparison questions, by what is worked out: on the half that nothing was chosen on."""
    folder = measuring.several()[0]
    outcomes = await compared(folder, "odd", "deep", measuring.limit, measuring.data)
    return f"`python -m benchmarks.computing DIR --half odd`, {folder.name}:\n\n{outcome_table(outcomes)}"


async def analysers(measuring: Measuring) -> str:
    """Our terms next to LanceDB's ICU tokeniser."""
    rows = [
        [read_set(folder).name, *cells([100 * each for each in await recalls(folder)])]
        for folder in measuring.folders
    ]
    return "\n".join(table(rows, ("set", "ours", "ICU")))


Section = Callable[[Measuring], Awaitable[str]]

SECTIONS: Mapping[str, Section] = {
    "several": several,
    "single": single,
    "union": union,
    "untitled": untitled,
    "long": long,
    "across": across,
    "encoder": encoder,
    "ablation": ablation,
    "answers": answers,
    "computed": computed,
    "analysers": analysers,
}
