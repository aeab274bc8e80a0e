"""The same sets put differently: in one collection, without titles, half of the questions, another language's corpus."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from leadline.analysis.fold import fold
from leadline.analysis.terms import analyse
from leadline.errors import UsageError
from leadline.evaluation.cases import Case, CorpusPassage, QuestionSet, find_sets, read_documents, read_set
from leadline.retrieval.diversity import Signature, alike, signature

Half = Literal["even", "odd"]


@dataclass(frozen=True, slots=True)
class Variation:
    """How sets are changed before they are measured.

    `union` puts all corpora into one collection. `untitled` blanks every title. `half` takes every other
    question. `corpus` answers the questions from another set's passages: its questions of the same id say which.
    `whole` searches whole documents.
    """

    union: bool = False
    untitled: bool = False
    half: Half | None = None
    corpus: Path | None = None
    whole: bool = False


def read_sets(folders: Sequence[Path], how: Variation) -> list[QuestionSet]:
    """The sets in these folders, changed as asked."""
    if how.whole and (how.union or how.corpus):
        raise UsageError(
            "whole documents cannot be measured over another corpus; leave --union or --corpus out."
        )
    if how.union and how.corpus:
        raise UsageError("either --union or --corpus: both say what is searched.")
    sets = [_alone(folder, how) for folder in find_sets(folders)]
    return union(sets) if how.union else sets


def _alone(folder: Path, how: Variation) -> QuestionSet:
    one = read_set(folder)
    if how.corpus is not None:
        one = across(one, read_set(how.corpus))
    if how.whole:
        one = whole(one, folder)
    if how.untitled:
        one = untitled(one)
    return one if how.half is None else half(one, how.half)


def half(one: QuestionSet, which: Half) -> QuestionSet:
    """Every other question by its place in the file: what was tuned on one half is reported on the other."""
    return replace(one, name=f"{one.name} {which}", cases=one.cases[which == "odd" :: 2], corpus=_corpus(one))


def untitled(one: QuestionSet) -> QuestionSet:
    """The same texts without their titles."""

    def blanked(passages: tuple[CorpusPassage, ...]) -> tuple[CorpusPassage, ...]:
        return tuple(replace(passage, title="") for passage in passages)

    return replace(
        one,
        name=f"{one.name} untitled",
        passages=blanked(one.passages),
        whole=blanked(one.whole),
        corpus=f"{_corpus(one)} untitled",
    )


def whole(one: QuestionSet, folder: Path) -> QuestionSet:
    """The same questions over the documents that the passages were cut from."""
    documents = read_documents(folder)
    known = {document.id for document in documents}
    asked = {name for case in one.cases for name in case.supporting}
    for passage in one.passages:
        if passage.id in asked and passage.document not in known:
            raise UsageError(f'{folder}: passage {passage.id!r} names no document ("doc_id") that is there.')
    return replace(one, name=f"{one.name} whole", whole=documents, corpus=f"{one.name} whole")


def across(one: QuestionSet, other: QuestionSet) -> QuestionSet:
    """The questions of `one` on the passages of `other`, which has the same questions in another language."""
    gold = {case.id: case.supporting for case in other.cases}
    lost = [case.id for case in one.cases if case.supporting and case.id not in gold]
    if lost:
        raise UsageError(
            f"{other.name} has no question {lost[0]!r}: it is not {one.name} in another language."
        )
    cases = tuple(replace(case, supporting=gold.get(case.id, ())) for case in one.cases)
    return replace(
        one, name=f"{one.name} on {other.name}", passages=other.passages, cases=cases, corpus=other.name
    )


def union(sets: Sequence[QuestionSet]) -> list[QuestionSet]:
    """All sets over one corpus: passages of the same title and nearly the same text are one, its id the first one's.

    Letters' case, white space and the underscores of some sets' titles make no difference, and what a search takes for
    near-duplicates (`retrieval.diversity`) is one here too: it gives only one of such twins.
    """
    titled: dict[str, list[tuple[Signature, str]]] = {}
    passages: dict[str, CorpusPassage] = {}
    renamed: list[dict[str, str]] = []
    for one in sets:
        names: dict[str, str] = {}
        for passage in one.passages:
            twins = titled.setdefault(fold(passage.title.replace("_", " ")), [])
            mine = signature(" ".join(analyse(passage.text)))
            twin = next((name for other, name in twins if alike(mine, other)), None)
            if twin is None:
                twin = passage.id if passage.id not in passages else f"{one.name}/{passage.id}"
                passages[twin] = replace(passage, id=twin)
                twins.append((mine, twin))
            names[passage.id] = twin
        renamed.append(names)
    return [
        replace(
            one,
            name=f"{one.name} in union",
            passages=tuple(passages.values()),
            cases=tuple(_renamed(case, names) for case in one.cases),
            corpus=f"union of {len(sets)}",
        )
        for one, names in zip(sets, renamed, strict=True)
    ]


def _renamed(case: Case, names: Mapping[str, str]) -> Case:
    return replace(case, supporting=tuple(dict.fromkeys(names[name] for name in case.supporting)))


def _corpus(one: QuestionSet) -> str:
    return one.corpus or one.name
